import {
  PlatformError,
  type ListedPost,
  type OtherPosts,
  type Published,
  type PublishJob,
  type Search,
} from './platform.ts'
import { withoutOthers } from './without-others.ts'

/** What a search saw of an account's posts. */
export interface Seen<Post> {
  /** Candidates for the post searched for. */
  readonly alike: readonly Post[]
  /** Whether `alike` certainly contains every published candidate. */
  readonly isWhole: boolean
}

/** How a platform's posts map to ids and results. */
export interface Telling<Post> {
  /** The post under each id that publishing may have returned for it. */
  readonly listed: (post: Post) => ListedPost | readonly ListedPost[]
  /** The post as publishing returns it; undefined if the listing does not identify it. May throw PlatformError. */
  readonly published: (post: Post) => Published | undefined | Promise<Published | undefined>
}

/** Picks the only match. An empty text never identifies a post: others have it too. */
export async function theOne<Post>(
  { text }: Pick<PublishJob, 'text'>,
  { alike, isWhole }: Seen<Post>,
  { listed, published }: Telling<Post>,
  others: OtherPosts | undefined,
): Promise<Search<Published>> {
  const { left, doubt } = await withoutOthers(alike, listed, others)
  if (!isWhole) return { outcome: 'unknown' }
  const [post, ...more] = left
  if (!post) return { outcome: 'absent' }
  if (more.length > 0 || doubt !== 'none' || text.trim() === '') return { outcome: 'unknown' }
  const found = await published(post)
  return found ? { outcome: 'found', found } : { outcome: 'unknown' }
}

/** Turns a `permanent` or `forbidden` refusal into `unknown`: asking again would not help. */
export async function unlessRefused(look: () => Promise<Search<Published>>): Promise<Search<Published>> {
  try {
    return await look()
  } catch (error) {
    const isRefusal = error instanceof PlatformError && (error.kind === 'permanent' || error.kind === 'forbidden')
    if (isRefusal) return { outcome: 'unknown' }
    throw error
  }
}
