import * as z from 'zod'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { Seen } from '../kit/find-by-content.ts'
import type { PlatformAccount, PlatformIo, Search } from '../kit/platform.ts'
import { idSchema } from './call.ts'
import { listed, referenced, referring, type ListPage } from './listing.ts'

/** How far our clock and X's may differ. */
const MARGIN_MS = 60_000
/** The end of a URL that leads to a post's own media. */
const TO_MEDIA = /\/status\/\d+\/(?:photo|video)\/\d+$/

/** `expanded_url` is the URL as written, with a protocol added if it had none. */
const entities = z
  .object({ urls: z.array(z.object({ url: z.string(), expanded_url: z.string(), media_key: z.string().optional() })) })
  .optional()
  .catch(undefined)
/** The full text of a post that is too long for `text`. */
const note = z.object({ text: z.string(), entities }).optional().catch(undefined)

export type OwnPost = z.infer<typeof ownPost>
const ownPost = z
  .object({
    id: idSchema,
    text: z.string(),
    created_at: z.iso
      .datetime()
      .transform((time) => Date.parse(time))
      .optional()
      .catch(undefined),
    attachments: z.object({ media_keys: z.array(z.string()).default([]) }).optional(),
    entities,
    note_tweet: note,
    note_post: note,
    ...referring,
  })
  .transform(({ id, text, created_at: createdAt, attachments, entities, note_tweet, note_post, ...references }) => ({
    id,
    text: (note_tweet ?? note_post)?.text ?? text,
    createdAt,
    /** The targets of X's short links, except those to media; undefined if X does not list them. */
    links: ((note_tweet ?? note_post)?.entities ?? entities)?.urls
      .filter(({ expanded_url, media_key }) => media_key === undefined && !TO_MEDIA.test(expanded_url))
      .map(({ expanded_url }) => expanded_url),
    mediaKeys: attachments?.media_keys ?? [],
    /** The id of the post that this one replies to. */
    answers: referenced(references, 'replied_to'),
  }))

const QUERY = {
  'tweet.fields': {
    exclude: 'retweets',
    'tweet.fields': 'attachments,created_at,entities,note_tweet,referenced_tweets',
    expansions: 'attachments.media_keys',
  },
  'post.fields': {
    exclude: 'retweets',
    'post.fields': 'attachments,created_at,entities,note_post',
    expansions: 'attachments.media_keys,referenced_posts',
  },
}

/** The account's own posts since then, including replies. */
export function ownPosts(account: PlatformAccount, since: string, io: PlatformIo): AsyncIterable<ListPage<OwnPost>> {
  return listed(account, { list: 'tweets', since, query: QUERY }, ownPost, io)
}

/**
 * The account's own posts that may be the one searched for.
 *
 * @param since ms since the epoch; the post cannot be older
 * @throws PlatformError
 */
export async function ownPostsLike(
  account: PlatformAccount,
  since: number,
  mayBeIt: (post: OwnPost) => boolean,
  io: PlatformIo,
): Promise<Seen<OwnPost>> {
  const alike = new Map<string, OwnPost>()
  let isWhole = true
  for await (const page of ownPosts(account, isoTime(since - MARGIN_MS), io)) {
    for (const post of page.posts) if (mayBeIt(post)) alike.set(post.id, post)
    isWhole &&= page.isWhole
  }
  return { alike: [...alike.values()], isWhole }
}

/**
 * Looks for a single matching post among the account's own.
 *
 * @param since ISO 8601 UTC; the post cannot be older
 * @returns its id
 * @throws PlatformError
 */
export async function findOwnPost(
  account: PlatformAccount,
  since: string,
  isIt: (post: OwnPost) => boolean,
  io: PlatformIo,
): Promise<Search<string>> {
  const { alike, isWhole } = await ownPostsLike(account, Date.parse(since), isIt, io)
  const [post, ...others] = alike
  // A missing post may be the one.
  if (!post) return { outcome: isWhole ? 'absent' : 'unknown' }
  return others.length > 0 ? { outcome: 'unknown' } : { outcome: 'found', found: post.id }
}
