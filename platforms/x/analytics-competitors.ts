import * as z from 'zod'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { Competitor, CompetitorFacts, Competitors } from '../kit/analytics.ts'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { postCounts } from './analytics-counts.ts'
import { lookUp, type CountedUser } from './analytics-users.ts'
import { idSchema } from './call.ts'
import { listed } from './listing.ts'

/** Public data of other accounts. X charges for every post and user it returns. */
export const competitors: Competitors = {
  find: async (account, handle, io) => {
    const name = usernameIn(handle)
    const user = name === undefined ? undefined : await lookUp(`by/username/${name}`, account, io)
    return user && competitorOf(user)
  },
  look: async (account, externalId, since, io) => {
    const user = idSchema.safeParse(externalId).success ? await lookUp(externalId, account, io) : undefined
    if (!user) return undefined
    return { ...competitorOf(user), ...user.public_metrics, recent: await recentOf(user, since, account, io) }
  },
}

const NAME = /^@?(\w{1,15})$/
const PAGE = /^(?:https?:\/\/)?(?:(?:www|mobile)\.)?(?:x|twitter)\.com\/@?(\w{1,15})(?:[/?#]|$)/i

function usernameIn(handle: string): string | undefined {
  const given = handle.trim()
  return (NAME.exec(given) ?? PAGE.exec(given))?.[1]
}

function competitorOf({ id, username, name }: CountedUser): Competitor {
  return { externalId: id, handle: username, label: name || username }
}

const MOST_POSTS = 100
/** Replies and reposts do not count in the comparison. */
const OWN_WORDS = { exclude: 'retweets,replies' }
const QUERY = {
  'tweet.fields': { ...OWN_WORDS, 'tweet.fields': 'created_at,public_metrics' },
  'post.fields': { ...OWN_WORDS, 'post.fields': 'created_at,public_metrics' },
}

const post = z
  .object({ id: idSchema, created_at: z.iso.datetime(), public_metrics: postCounts.catch({}) })
  .transform(({ id, created_at, public_metrics: metrics }) => ({
    id,
    createdAt: isoTime(Date.parse(created_at)),
    metrics,
  }))

/** The newest posts; none if the account is protected. */
async function recentOf(
  { id: externalId }: CountedUser,
  since: string,
  account: PlatformAccount,
  io: PlatformIo,
): Promise<CompetitorFacts['recent']> {
  const earliest = Date.parse(since)
  const recent: z.infer<typeof post>[] = []
  for await (const { posts } of listed({ ...account, externalId }, { list: 'tweets', since, query: QUERY }, post, io)) {
    // `start_time` is truncated to the second.
    recent.push(...posts.filter(({ createdAt }) => Date.parse(createdAt) >= earliest))
    if (recent.length >= MOST_POSTS) break
  }
  return recent.slice(0, MOST_POSTS)
}
