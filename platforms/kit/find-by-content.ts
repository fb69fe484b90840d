import {
  PlatformError,
  type ListedPost,
  type OtherPosts,
  type Published,
  type PublishJob,
  type Search,
} from './platform.ts'
import { withoutOthers } from './without-others.ts'

/** What was seen of an account's posts. */
export interface Seen<Post> {
  /** Those that may be the one. */
  readonly alike: readonly Post[]
  /** Whether each published post that may be the one is surely among them. */
  readonly isWhole: boolean
}

/** How a platform's posts are told apart. */
export interface Telling<Post> {
  /** Under each id that publishing may have told for it. */
  readonly listed: (post: Post) => ListedPost | readonly ListedPost[]
  /** As publishing tells it; undefined where what is listed does not say enough for it to be the one. May throw PlatformError. */
  readonly published: (post: Post) => Published | undefined | Promise<Published | undefined>
}

/** The one post that fits. By a text that is empty none does: others have it too. */
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

/** What a platform refuses to tell, for good or to this access, asking again does not tell either. */
export async function unlessRefused(look: () => Promise<Search<Published>>): Promise<Search<Published>> {
  try {
    return await look()
  } catch (error) {
    const isRefusal = error instanceof PlatformError && (error.kind === 'permanent' || error.kind === 'forbidden')
    if (isRefusal) return { outcome: 'unknown' }
    throw error
  }
}
