import * as z from 'zod'
import type { PostType } from '../../domain/core/platform.ts'
import { mediaOf } from '../../domain/post/post-media.ts'
import { theOne } from '../kit/find-by-content.ts'
import type { OtherPosts, Published, PublishJob, Search } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import type { GraphApi } from './api.ts'
import type { Session } from './graph.ts'
import { readsAs } from './same-text.ts'
import { graphTime } from './time.ts'
import { plainId } from '../kit/plain-id.ts'
import { ownAddress } from '../kit/own-address.ts'

/** Maximum clock skew. */
const SKEW_MS = 60_000
const MEDIA_TYPES: Readonly<Partial<Record<PostType, string>>> = { image: 'IMAGE', video: 'VIDEO', text: 'TEXT_POST' }

function typeOf(job: PublishJob): string | undefined {
  return mediaOf(job).length > 1 ? 'CAROUSEL_ALBUM' : MEDIA_TYPES[job.mediaType]
}

/** Fields of a listed post; its text field has a different name on each platform. */
export const postFields = {
  id: plainId,
  media_type: z.string().optional(),
  permalink: z.string().optional(),
  timestamp: z.string(),
}
export type ListedPost = Readonly<z.infer<z.ZodObject<typeof postFields>>> & { readonly text: string }

/** Earliest timestamp (seconds since the epoch, Meta's clock) of a post published at `from` (ms, our clock). */
export function listedSince(from: number): number {
  return Math.floor((from - SKEW_MS) / 1000)
}

/** Milliseconds since the epoch. */
export function timeOf({ timestamp }: ListedPost): number {
  return graphTime(timestamp)
}

const HOSTS = ['instagram.com', 'threads.com', 'threads.net']

/** The permalink of a post or reply, if it is one of Meta's. */
export function metaAddress(permalink: string | undefined, { host }: Session): { readonly url?: string } {
  const url = ownAddress(permalink, HOSTS, host)
  return url === undefined ? {} : { url }
}

/** The part of an account's posts that was read. */
export interface PostList {
  readonly posts: readonly ListedPost[]
  /** Whether the requested range was read completely. */
  readonly isWhole: boolean
}

/** Posts that may be this one: same text and type. */
export function matching(job: PublishJob, posts: readonly ListedPost[], session: Session): readonly Published[] {
  return posts
    .filter((post) => readsAs(post.text, job.text) && post.media_type === typeOf(job))
    .map((post) => publishedAs(post, session))
}

/** Looks for this post among the account's posts. */
export function findAmong(
  job: PublishJob,
  { posts, isWhole }: PostList,
  session: Session,
  others: OtherPosts | undefined,
): Promise<Search<Published>> {
  const wanted = typeOf(job)
  const alike = posts.filter(({ text, media_type = wanted }) => readsAs(text, job.text) && media_type === wanted)
  const telling = {
    listed: (post: ListedPost) => ({ id: post.id, createdAt: timeOf(post) }),
    published: (post: ListedPost) => (post.media_type === undefined ? undefined : publishedAs(post, session)),
  }
  return theOne(job, { alike, isWhole }, telling, others)
}

function publishedAs({ id, permalink }: ListedPost, session: Session): Published {
  return { postId: id, ...metaAddress(permalink, session) }
}

const shown = z.object({ permalink: z.string().optional() })

/** Reads a post's permalink: it cannot be derived from the id. @throws PlatformError */
export async function permalinkOf(
  { graph }: GraphApi<never>,
  postId: string,
  session: Session,
  io: RestIo,
): Promise<string | undefined> {
  const call = { method: 'GET', path: `/${postId}`, query: { fields: 'id,permalink' }, timeoutMs: 4_000 } as const
  return metaAddress((await graph(session, call, shown, io)).permalink, session).url
}
