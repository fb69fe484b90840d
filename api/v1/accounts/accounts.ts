import * as z from 'zod'
import { AUTOMATION_MODES } from '../../../domain/account/account.ts'
import { capability, limitFields } from '../../../domain/account/capability.ts'
import { PLATFORM_KEYS } from '../../../domain/core/platform.ts'
import { text } from '../../../domain/core/text.ts'
import { connectedAccounts, findAccount, limitsOf, standingOf } from '../../../projections/models/accounts.ts'
import { route, type AnyRoute } from '../../http/route.ts'
import { backgroundReadingSchema, shownReading } from '../../kit/background-reading.ts'
import { owned } from '../../kit/owned.ts'
import { postDefaultsSchema } from '../../kit/post-defaults.ts'
import type { Services } from '../../kit/services.ts'
import { EXAMPLE } from '../../openapi/examples.ts'

const limitSchema = z.object({
  capability: capability.describe('What is refused. `replies` includes first comments.'),
  cause: limitFields.cause.describe(
    'permission_missing: grant it by connecting the account again. app_not_approved: the platform has not reviewed the app, or ' +
      'does not allow it this API. resource_forbidden: one page, post or board is closed to the account. billing: the bill, ' +
      "credits or spending limit of the app, or the operator's monthly budget. platform_outage: the platform fails again and again.",
  ),
  permission: limitFields.permission.describe('The missing permission as the platform names it, if it is known.'),
  reason: limitFields.reason.describe("The platform's words, and who must do what."),
  since: z.iso.datetime(),
})

const SHOWN = { automation: 'review', backgroundReading: { isOn: true, costs: false } }

const accountSchema = z
  .object({
    id: z.string().describe('Account id; used inside `selections`.'),
    label: z.string(),
    status: z.enum(['ready', 'resting', 'needs_reauth']),
    restsUntil: z.iso.datetime().optional().describe('When resting: the platform accepts no more requests until then.'),
    limits: z
      .array(limitSchema)
      .optional()
      .describe('What the platform refuses on this account. Everything else works. Absent when nothing is refused.'),
    commentsError: z.string().optional().describe('Why the last fetch of its comments failed.'),
    analyticsError: z.string().optional().describe('Why the last fetch of its post metrics failed.'),
    automation: z.enum(AUTOMATION_MODES).describe('How new comments are handled.'),
    backgroundReading: backgroundReadingSchema,
    postDefaults: postDefaultsSchema.optional(),
    reason: z.string().optional().describe('When needs_reauth: why its owner must connect it again.'),
  })
  .meta({
    id: 'Account',
    examples: [{ id: EXAMPLE.account, label: 'bakery.bsky.social', status: 'ready', ...SHOWN }],
  })

const destinationSchema = z
  .object({
    label: z.string().describe('Name on the platform.'),
    options: z.record(z.string(), z.unknown()).describe('What to set in platformOptions for this platform.'),
    isDefault: z.boolean().describe('Whether posts go there that set nothing.'),
  })
  .meta({ id: 'Destination', examples: [{ label: 'Recipes', options: { boardId: '549755885175' }, isDefault: true }] })

export function accountRoutes({ db, clock, costsOf, destinationsOf }: Services): readonly AnyRoute[] {
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
          const limits = limitsOf(row)
          const shown = {
            ...{ id, label, ...standing, ...(limits.length > 0 && { limits }) },
            ...{ commentsError, analyticsError, automation: row.automation.mode },
            backgroundReading: shownReading(row, costsOf),
            ...(row.postDefaults && { postDefaults: row.postDefaults }),
          }
          accounts[platform] = [...(accounts[platform] ?? []), shown]
        }
        return { status: 200, body: { accounts } }
      },
    }),

    route({
      method: 'GET',
      path: '/accounts/{id}/destinations',
      operationId: 'listDestinations',
      summary: 'List where posts of an account can go',
      description:
        'The boards of a Pinterest account, read from the platform. Set the options of one of them in platformOptions to ' +
        'publish there. Empty where a platform has only one place.',
      reachesOut: true,
      mayConflict: true,
      tag: 'Accounts',
      scope: 'accounts:read',
      params: z.object({ id: text(100) }),
      answer: {
        status: 200,
        description: 'In the order of the platform.',
        schema: z.object({ destinations: z.array(destinationSchema) }),
      },
      handle: async ({ params: { id }, caller }) => {
        owned(await findAccount(db, id), caller, 'account')
        return { status: 200, body: { destinations: [...(await destinationsOf(id))] } }
      },
    }),
  ]
}
