import { z } from 'zod'
import { PLATFORM_KEYS } from '../domain/platform.ts'
import { connectedAccounts } from '../projections/accounts.ts'
import { route, type AnyRoute } from './route.ts'
import type { Services } from './services.ts'

const accountSchema = z.object({
  id: z.string().describe('Account id; used inside `selections`.'),
  label: z.string(),
})

export function accountRoutes({ db }: Services): readonly AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/accounts',
      operationId: 'listAccounts',
      summary: 'Connected accounts, by platform',
      tag: 'Accounts',
      scope: 'accounts:read',
      answer: {
        status: 200,
        description: 'Only connected platforms appear.',
        schema: z.object({ accounts: z.partialRecord(z.enum(PLATFORM_KEYS), z.array(accountSchema)) }),
      },
      handle: async ({ caller }) => {
        const accounts: Record<string, { id: string; label: string }[]> = {}
        for (const { platform, id, label } of await connectedAccounts(db, caller.workspaceId)) {
          accounts[platform] = [...(accounts[platform] ?? []), { id, label }]
        }
        return { status: 200, body: { accounts } }
      },
    }),
  ]
}
