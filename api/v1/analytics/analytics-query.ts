import * as z from 'zod'
import { ANALYTICS_PLATFORMS, hasAnalytics } from '../../../domain/analytics/metrics.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import type { PlatformKey } from '../../../domain/core/platform.ts'
import { text } from '../../../domain/core/text.ts'
import { isTimeZone } from '../../../domain/post/wall-time.ts'
import { findAccount, platformsOfAccounts } from '../../../projections/models/accounts.ts'
import { RANKINGS, type PostsWithin } from '../../../projections/models/analytics.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { owned } from '../../kit/owned.ts'
import { pageQuery } from '../../http/pagination.ts'
import type { Caller } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'

const DAY_MS = 86_400_000
const DAYS = { error: 'must be a whole number from 1 to 90' }

const days = z
  .string()
  .regex(/^\d{1,2}$/, DAYS)
  .transform(Number)
  .pipe(z.int().min(1, DAYS).max(90, DAYS))
  .default(30)
  .describe('Only posts published within this many days, 1 to 90.')
const asOf = z.iso
  .date({ error: 'must be a calendar date such as 2026-05-31' })
  .optional()
  .describe('As known at the end of this day (UTC). Default: now.')
const accountId = text(100).min(1, { error: 'must not be empty' })
const timezone = text(100)
  .refine(isTimeZone, { error: 'must be an IANA name such as Europe/Berlin' })
  .default('UTC')
  .describe('Time zone of weekdays and hours: an IANA name such as Europe/Berlin.')
const ofAccounts = {
  accountId: accountId.optional().describe('Only this account. Default: all accounts.'),
  platform: z
    .enum(ANALYTICS_PLATFORMS, { error: `must be one of ${ANALYTICS_PLATFORMS.join(', ')}` })
    .optional()
    .describe('Only accounts on this platform. Default: all platforms.'),
}

export const summaryQuery = z.object({ ...ofAccounts, days, asOf })
export const overTimeQuery = summaryQuery.extend({ timezone })
export const accountQuery = z.object({ days, asOf })
export const bestTimesQuery = z.object({ days, timezone })
export const topPostsQuery = pageQuery.extend({
  sort: z
    .enum(RANKINGS, { error: `must be one of ${RANKINGS.join(', ')}` })
    .default('views')
    .describe('The metric to rank by.'),
  ...ofAccounts,
  days,
  asOf,
})
export const postAnalyticsQuery = z.object({
  platform: text(100)
    .min(1, { error: 'must not be empty' })
    .describe(`One of ${ANALYTICS_PLATFORMS.join(', ')}.`),
  source: z
    .enum(['live', 'captured'], { error: 'must be live or captured' })
    .default('live')
    .describe(
      'captured: the newest metrics that are stored, without asking the platform; it is no error if there are none.',
    ),
})

/** @throws Refusal not_supported (api-spec §4, Posts, rule 3) */
export function mustHaveAnalytics(platform: string): asserts platform is (typeof ANALYTICS_PLATFORMS)[number] {
  if (hasAnalytics(platform)) return
  const known = ANALYTICS_PLATFORMS.join(', ')
  throw new Refusal('not_supported', `platform: analytics are available for ${known} only, not for ${platform}`)
}

/** The requested period. @throws Refusal invalid_request when the day is in the future */
export function timeOf(
  { clock }: Pick<Services, 'clock'>,
  query: { readonly days: number; readonly asOf?: string | undefined },
): Omit<PostsWithin, 'accountIds'> {
  const now = clock.now()
  const start = query.asOf === undefined ? now : Date.parse(query.asOf)
  if (start > now)
    throw new Refusal('invalid_request', `asOf must not be in the future; today is ${isoTime(now).slice(0, 10)}`)
  const until = query.asOf === undefined ? now + 1 : start + DAY_MS
  return { since: isoTime(until - query.days * DAY_MS), until: isoTime(until), asKnownThen: query.asOf !== undefined }
}

/** The requested account. @throws Refusal not_found, forbidden, not_supported */
export async function measuredAccount({ db }: Pick<Services, 'db'>, id: string, caller: Caller) {
  const account = owned(await findAccount(db, id), caller, 'account')
  mustHaveAnalytics(account.platform)
  return account
}

/**
 * The platforms of the requested account, or of all that the caller has or had, by id.
 *
 * @throws Refusal not_found, forbidden, not_supported
 */
export async function accountsAsked(
  { db }: Pick<Services, 'db'>,
  asked: { readonly accountId?: string | undefined; readonly platform?: PlatformKey | undefined },
  caller: Caller,
): Promise<ReadonlyMap<string, PlatformKey>> {
  const all =
    asked.accountId === undefined
      ? await platformsOfAccounts(db, caller.workspaceId)
      : new Map([[asked.accountId, (await measuredAccount({ db }, asked.accountId, caller)).platform]])
  if (asked.platform === undefined) return all
  return new Map([...all].filter(([, platform]) => platform === asked.platform))
}
