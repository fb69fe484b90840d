import * as z from 'zod'
import { ANALYTICS_PLATFORMS } from '../../../domain/analytics/metrics.ts'
import type { Forecast } from '../../../domain/post/forecast.ts'
import { PLATFORM_KEYS } from '../../../domain/core/platform.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import type { accountAnalyticsSchema, bestTimesSchema, summarySchema } from '../../v1/analytics/analytics-schemas.ts'
import { foundPost } from './found.ts'
import { FOUND, KINDS, listedAccounts, openOf, type Page } from './kinds.ts'
import {
  listedRanked,
  listedScheduled,
  shownApproval,
  shownPost,
  shownScheduled,
  type Approval,
  type Post,
  type ScheduledPost,
} from './present.ts'
import { READS, task, type TaskWork } from './task.ts'
import { moment, momentOf } from './times.ts'

const platform = z.enum(PLATFORM_KEYS).optional()
const MOST_COUNTED = 100
/** In the overview; `find` lists all of them. */
const MOST_ACCOUNTS = 20
const MOST_TROUBLES = 6

export const readingTasks = [
  task({
    name: 'overview',
    title: 'Overview',
    description:
      'Start here: the accounts with their ids and what is wrong with them, the next scheduled posts, how many comments, ' +
      'replies and posts wait for somebody, how we write (voice), what is left of the daily budgets of this key, and the time. With forecastDays also what will become of what is planned.',
    input: z.object({
      forecastDays: z
        .int()
        .min(1)
        .max(92)
        .optional()
        .describe('Also forecast this many days: what fails, waits or is held'),
    }),
    uses: [
      'listAccounts',
      'listScheduledPosts',
      'listComments',
      'listPendingReplies',
      'listApprovals',
      'getForecast',
      'getBudgets',
      'getVoice',
    ],
    hints: { ...READS },
    run: async ({ forecastDays: days }, work) => ({
      ...(work.may('listAccounts') && firstOf(await listedAccounts({}, work))),
      next: work.may('listScheduledPosts')
        ? (await work.api<Page<ScheduledPost>>('listScheduledPosts', { limit: 5 }))['scheduledPosts']?.map(
            listedScheduled,
          )
        : undefined,
      waiting: {
        comments: await countOf('comments', work),
        replies: await countOf('replies', work),
        approvals: await countOf('approvals', work),
      },
      voice: work.may('getVoice') ? (await work.api<{ text: string }>('getVoice')).text || undefined : undefined,
      budgets: work.may('getBudgets') ? leftIn(await work.api<BudgetsLeft>('getBudgets')) : undefined,
      forecast:
        days !== undefined && work.may('getForecast')
          ? troubles(await work.api<Forecast>('getForecast', { days }))
          : undefined,
    }),
  }),

  task({
    name: 'find',
    title: 'Find',
    description:
      'List posts (published), scheduled posts (soonest first), drafts, approvals (posts that wait for one), comments (of the ' +
      'last 7 days; unanswered unless status says otherwise), replies (the review inbox), media or accounts.',
    input: z.object({
      kind: z.enum(KINDS),
      q: z.string().optional().describe('Text in it: posts, scheduled, media'),
      platform,
      accountId: z.string().optional(),
      author: z.string().optional().describe('posts, scheduled, approvals: me, or the id of a user or key'),
      status: z
        .string()
        .optional()
        .describe(
          'posts: processing, published, partially_failed, publish_failed. comments: open, answered, dismissed, all. replies: ' +
            'pending, sent, failed. approvals: changes_requested, held, approved, rejected',
        ),
      from: moment.optional().describe('posts, scheduled'),
      to: moment.optional(),
      limit: z.int().min(1).max(50).default(6),
      cursor: z.string().optional().describe('nextCursor of the page before'),
    }),
    uses: Object.values(FOUND).map(({ operationId }) => operationId),
    hints: { ...READS },
    run: async ({ kind, limit, from, to, ...filters }, work) => {
      if (kind === 'accounts') {
        const accounts = await listedAccounts(filters, work)
        return { count: accounts.length, accounts }
      }
      const { operationId, field, item } = FOUND[kind]
      const { status, ...others } = filters
      const asked = kind === 'comments' ? { ...others, ...openOf(status) } : filters
      const times = { from: momentOf(from, work), to: momentOf(to, work) }
      const page = await work.api<Page>(operationId, { ...asked, ...times, limit })
      const items = page[field]?.map(item) ?? []
      return { count: items.length, [kind]: items, nextCursor: page.nextCursor }
    },
  }),

  task({
    name: 'read',
    title: 'Read one',
    description:
      'All of one thing by its id: post_…, draft_…, rep_…, med_…, vid_…, acc_…, a commentId, or voice: how we write.',
    input: z.object({ id: z.string() }),
    uses: [
      ...['getPost', 'getScheduledPost', 'getApproval', 'getDraft', 'getReply', 'getMedia', 'getVideo', 'listAccounts'],
      ...['getComment', 'getVoice'],
    ],
    hints: { ...READS },
    run: async ({ id }, work) => {
      if (id === 'voice') return work.api('getVoice')
      const prefix = id.split('_', 1)[0] ?? ''
      if (prefix === 'post') {
        const found = await foundPost(id, work)
        if ('published' in found) return shownPost(found.published)
        const { scheduled } = found
        const approval = scheduled.approval && shownApproval(await work.api<Approval>('getApproval', { id }))
        return { ...shownScheduled(scheduled), approval }
      }
      if (prefix === 'acc') {
        const account = (await listedAccounts({ accountId: id }, work, true))[0]
        if (account) return account
        throw new Refusal('not_found', 'No such account.')
      }
      const operationId = READ.get(prefix)
      return operationId === undefined ? work.api('getComment', { commentId: id }) : work.api(operationId, { id })
    },
  }),

  task({
    name: 'insights',
    title: 'Insights',
    description:
      'How posts did: of the workspace, of one account (with its best times, formats and hashtags), or of one post live on its ' +
      `platforms. Only ${ANALYTICS_PLATFORMS.join(', ')} report numbers.`,
    input: z.object({
      accountId: z.string().optional(),
      postId: z.string().optional(),
      days: z.int().min(1).max(90).default(30),
    }),
    uses: ['getAnalyticsSummary', 'getAccountAnalytics', 'getBestTimes', 'getPostAnalytics'],
    hints: { readOnlyHint: true },
    run: async ({ accountId, postId, days }, work) => {
      if (postId !== undefined) return ofPost(postId, work)
      if (accountId !== undefined) return ofAccount(accountId, days, work)
      const { totals, topPosts } = await work.api<z.infer<typeof summarySchema>>('getAnalyticsSummary', { days })
      return { days, totals, topPosts: topPosts.map(listedRanked) }
    },
  }),
]

/** What reads one, by the kind of its id. */
const READ = new Map([
  ['draft', 'getDraft'],
  ['rep', 'getReply'],
  ['med', 'getMedia'],
  ['vid', 'getVideo'],
])

function firstOf(accounts: readonly object[]): object {
  const more = accounts.length - MOST_ACCOUNTS
  return { accounts: accounts.slice(0, MOST_ACCOUNTS), ...(more > 0 && { moreAccounts: more }) }
}

interface BudgetsLeft {
  readonly budgets: readonly { readonly budget: string; readonly limit: number; readonly left: number }[]
  readonly renewsAt: string
}

function leftIn({ budgets, renewsAt }: BudgetsLeft): object | undefined {
  if (budgets.length === 0) return undefined
  const left = budgets.map(({ budget, limit, left }) => [budget, `${left} of ${limit} left`])
  return { ...Object.fromEntries(left), renewsAt }
}

/** A forecast without what goes well. */
function troubles({ entries, totals, cutAt }: Forecast): object {
  const found = entries.filter(({ kind }) => kind !== 'published')
  const more = found.length - MOST_TROUBLES
  return { totals, troubles: found.slice(0, MOST_TROUBLES), ...(more > 0 && { moreTroubles: more }), cutAt }
}

async function countOf(
  kind: 'comments' | 'replies' | 'approvals',
  work: TaskWork,
): Promise<number | string | undefined> {
  const { operationId, field } = FOUND[kind]
  if (!work.may(operationId)) return undefined
  const page = await work.api<Page>(operationId, { limit: MOST_COUNTED, ...(kind === 'comments' && openOf(undefined)) })
  const count = page[field]?.length ?? 0
  return page.nextCursor === null ? count : `more than ${count}`
}

const BEST = 3

async function ofAccount(accountId: string, days: number, work: TaskWork): Promise<object> {
  const of = { accountId, days }
  const numbers = await work.api<z.infer<typeof accountAnalyticsSchema>>('getAccountAnalytics', of)
  const times = await work.api<z.infer<typeof bestTimesSchema>>('getBestTimes', { ...of, timezone: work.timezone })
  const { totals, followers, formats, hashtags } = numbers
  const { basedOn, bestTimes, bestDays, postingFrequency } = times
  return {
    ...{ days, totals, followers, formats: formats.slice(0, BEST), hashtags: hashtags.slice(0, BEST) },
    ...{ basedOn, bestTimes: bestTimes.slice(0, BEST), bestDays: bestDays.slice(0, BEST), postingFrequency },
  }
}

/** On each platform that reports numbers; what one of them refuses does not hide those of the others. */
async function ofPost(id: string, work: TaskWork): Promise<object> {
  const { publishResults } = await work.api<Post>('getPost', { id })
  const measured = Object.keys(publishResults).filter((key) => ANALYTICS_PLATFORMS.some((one) => one === key))
  const platforms: Record<string, unknown> = {}
  for (const key of measured) {
    platforms[key] = await work.api<{ metrics: object }>('getPostAnalytics', { id, platform: key }).then(
      ({ metrics }) => metrics,
      (error: unknown) => {
        if (error instanceof Refusal) return error.message
        throw error
      },
    )
  }
  return measured.length > 0
    ? { postId: id, platforms }
    : { postId: id, note: 'None of its platforms reports numbers.' }
}
