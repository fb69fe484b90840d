import { z } from 'zod'
import { isoTime } from '../../system/clock.ts'
import type { PlatformAccount, PlatformIo, Search } from '../platform.ts'
import { idSchema } from './call.ts'
import { listed, referenced, referring, type ListPage } from './listing.ts'

/** What the clocks of X and ours may differ by. */
const MARGIN_MS = 60_000

export type OwnPost = z.infer<typeof ownPost>
const ownPost = z
  .object({
    id: idSchema,
    text: z.string(),
    attachments: z.object({ media_keys: z.array(z.string()).default([]) }).optional(),
    ...referring,
  })
  .transform(({ id, text, attachments, ...references }) => ({
    id,
    text,
    mediaKeys: attachments?.media_keys ?? [],
    /** The id of the post that it is a reply to. */
    answers: referenced(references, 'replied_to'),
  }))

const QUERY = {
  'tweet.fields': {
    exclude: 'retweets',
    'tweet.fields': 'attachments,referenced_tweets',
    expansions: 'attachments.media_keys',
  },
  'post.fields': {
    exclude: 'retweets',
    'post.fields': 'attachments',
    expansions: 'attachments.media_keys,referenced_posts',
  },
}

/** What the account itself has posted since then, replies too. */
export function ownPosts(account: PlatformAccount, since: string, io: PlatformIo): AsyncIterable<ListPage<OwnPost>> {
  return listed(account, { list: 'tweets', since, query: QUERY }, ownPost, io)
}

/**
 * Looks for the one post among the account's own.
 *
 * @param since ISO 8601 UTC: before then it can't have gone out
 * @returns its id
 */
export async function findOwnPost(
  account: PlatformAccount,
  since: string,
  isIt: (post: OwnPost) => boolean,
  io: PlatformIo,
): Promise<Search<string>> {
  const found = new Set<string>()
  for await (const { posts, isWhole } of ownPosts(account, isoTime(Date.parse(since) - MARGIN_MS), io)) {
    for (const post of posts) if (isIt(post)) found.add(post.id)
    // What is missing may be the one.
    if (!isWhole && found.size === 0) return { outcome: 'unknown' }
  }
  const [id, ...others] = found
  if (id === undefined) return { outcome: 'absent' }
  return others.length > 0 ? { outcome: 'unknown' } : { outcome: 'found', found: id }
}
