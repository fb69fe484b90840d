import * as z from 'zod'
import { capability } from '../../domain/account/capability.ts'
import { PLATFORM_KEYS } from '../../domain/core/platform.ts'
import { text } from '../../domain/core/text.ts'
import { connectedAccounts, findAccount, standingOf } from '../../projections/models/accounts.ts'
import { scheduledByAccount } from '../../projections/models/scheduled-posts.ts'
import { causeOf } from '../http/cause.ts'
import { route, type AnyRoute } from '../http/route.ts'
import { owned } from '../kit/owned.ts'
import type { DashboardServices } from './services.ts'

const accessSchema = z.object({
  id: z.string(),
  platform: z.enum(PLATFORM_KEYS),
  label: z.string(),
  needsReauth: z.boolean().describe('Whether its owner must connect it again before anything is published on it.'),
  endsAt: z.iso.datetime().optional().describe('When its access ends. Absent if Fanfare renews it, or knows no end.'),
  granted: z.array(capability).optional().describe('What its owner allowed. Absent if the platform does not say.'),
  lacking: z.array(z.object({ capability, permissions: z.array(z.string()) })),
  canConsent: z.boolean().describe('Whether its owner can consent again in a browser.'),
  scheduledPosts: z.int().describe('How many posts wait to be published on it.'),
})

export function accountAccessRoutes({ db, clock, connection }: DashboardServices): readonly AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/accounts',
      operationId: 'listAccountAccess',
      summary: 'List what the owners of the connected accounts have granted, until when, and what waits for it',
      tag: 'Accounts',
      scope: 'accounts:read',
      answer: {
        status: 200,
        description: 'In the order of GET /v1/accounts.',
        schema: z.object({ accounts: z.array(accessSchema) }),
      },
      handle: async ({ caller: { workspaceId } }) => {
        const rows = await connectedAccounts(db, workspaceId)
        const ids = rows.map(({ id }) => id)
        const [scheduled, granted] = await Promise.all([
          scheduledByAccount(db, workspaceId, ids),
          Promise.all(rows.map((row) => connection.accessTo(row))),
        ])
        const accounts = rows.map((row, index) => {
          const { id, platform, label } = row
          const { endsAt, granted: covered, lacking = {}, canConsent = false } = granted[index] ?? {}
          return {
            ...{ id, platform, label, endsAt, granted: covered && [...covered] },
            needsReauth: standingOf(row, clock.now()).status === 'needs_reauth',
            lacking: Object.entries(lacking).map(([name, permissions]) => ({
              capability: capability.parse(name),
              permissions: [...permissions],
            })),
            canConsent,
            scheduledPosts: scheduled.get(id) ?? 0,
          }
        })
        return { status: 200, body: { accounts } }
      },
    }),

    route({
      method: 'POST',
      path: '/accounts/{id}/authorizations',
      operationId: 'askForConsentAgain',
      summary: 'Start connecting a connected account again in a browser',
      tag: 'Accounts',
      scope: 'accounts:write',
      params: z.object({ id: text(100) }),
      answer: {
        status: 201,
        description: 'The URL to open in a browser, as of `askForConsent`. The account keeps its id, label and server.',
        schema: z.object({ url: z.string() }),
      },
      handle: async (request) => {
        const { id } = request.params
        const account = owned(await findAccount(db, id), request.caller, 'account')
        const url = await connection.askAgain(account, causeOf(request, request.work))
        return { status: 201, body: { url } }
      },
    }),
  ]
}
