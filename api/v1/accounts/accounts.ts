import { z } from 'zod'
import { AUTOMATION_MODES } from '../../../domain/account/account.ts'
import { PLATFORM_KEYS } from '../../../domain/core/platform.ts'
import { connectedAccounts, standingOf } from '../../../projections/models/accounts.ts'
import { route, type AnyRoute } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'
import { EXAMPLE } from '../../openapi/examples.ts'

const accountSchema = z
  .object({
    id: z.string().describe('Account id; used inside `selections`.'),
    label: z.string(),
    status: z.enum(['ready', 'resting', 'needs_reauth']),
    restsUntil: z.iso.datetime().optional().describe('When resting: the platform accepts no more requests until then.'),
    commentsError: z.string().optional().describe('Why the last fetch of its comments failed.'),
    analyticsError: z.string().optional().describe('Why the last fetch of its post metrics failed.'),
    automation: z.enum(AUTOMATION_MODES).describe('How new comments are handled.'),
    reason: z.string().optional().describe('When needs_reauth: why its owner must connect it again.'),
  })
  .meta({
    id: 'Account',
    examples: [{ id: EXAMPLE.account, label: 'bakery.bsky.social', status: 'ready', automation: 'review' }],
  })

export function accountRoutes({ db, clock }: Services): readonly AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/accounts',
      operationId: 'listAccounts',
      summary: 'List connected accounts by platform',
      description:
        'Use their ids in selections. An account with status needs_reauth must be connected again by its owner ' +
        'before anything can be published on it.',
      tag: 'Accounts',
      scope: 'accounts:read',
      answer: {
        status: 200,
        description: 'Only connected platforms appear.',
        schema: z.object({ accounts: z.partialRecord(z.enum(PLATFORM_KEYS), z.array(accountSchema)) }),
      },
      handle: async ({ caller }) => {
        const accounts: Record<string, object[]> = {}
        for (const row of await connectedAccounts(db, caller.workspaceId)) {
          const { platform, id, label } = row
          const commentsError = row.commentsError ?? undefined
          const analyticsError = row.analyticsError ?? undefined
          const standing = standingOf(row, clock.now())
          const shown = { id, label, ...standing, commentsError, analyticsError, automation: row.automation.mode }
          accounts[platform] = [...(accounts[platform] ?? []), shown]
        }
        return { status: 200, body: { accounts } }
      },
    }),
  ]
}
