import type { FetchedComment } from '../kit/conversation.ts'
import { PlatformError, type PlatformErrorKind } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import type { GraphErrors, GraphRefusal } from './errors.ts'

const DAY_MS = 86_400_000
/** How much older than its new comments a post may be: Meta lists comments only by post. */
const POST_AGE_MS = 90 * DAY_MS
/** A post that cannot be read is skipped. With this many failures, the posts are not the cause. */
const MOST_FAILURES = 3

/** These would fail for the other posts too. */
const ENDS_THE_LOOK: readonly PlatformErrorKind[] = ['needs-reauth', 'forbidden']

/** What to read, newest first. */
export interface Look<Post> {
  /** Posts that may have comments. */
  readonly posts: AsyncIterable<readonly Post[]>
  readonly under: (post: Post) => AsyncIterable<readonly FetchedComment[]>
  readonly mentions?: AsyncIterable<readonly FetchedComment[]>
  /** Whether an error means that the post was deleted meanwhile. */
  readonly isGone: (error: unknown) => boolean
}

/** Creation time (ms since the epoch) from which posts are checked for comments not older than `since`. */
export function postsFrom(since: number): number {
  return since - POST_AGE_MS
}

/**
 * Reads the comments under each post, then the mentions. A failure is thrown only after everything else has been read.
 *
 * @throws PlatformError
 */
export async function* look<Post>(
  { posts, under, mentions, isGone }: Look<Post>,
  { signal }: Pick<RestIo, 'signal'>,
): AsyncGenerator<readonly FetchedComment[]> {
  const failures: PlatformError[] = []
  const passesOver = (error: unknown): boolean => {
    if (isGone(error)) return true
    if (!(error instanceof PlatformError) || ENDS_THE_LOOK.includes(error.kind) || error.accountRests) return false
    failures.push(error)
    return failures.length < MOST_FAILURES && !signal.aborted
  }
  for await (const page of posts) {
    for (const post of page) yield* unlessFailing(under(post), passesOver)
  }
  if (mentions) yield* unlessFailing(mentions, passesOver)
  const [failure] = failures
  if (failure) throw failure
}

async function* unlessFailing<T>(pages: AsyncIterable<T>, passesOver: (error: unknown) => boolean): AsyncGenerator<T> {
  try {
    yield* pages
  } catch (error) {
    if (!passesOver(error)) throw error
  }
}

/** Skips what the token may not read. */
export function ifAllowed<T>(
  { is }: Pick<GraphErrors<GraphRefusal>, 'is'>,
  pages: AsyncIterable<T>,
): AsyncGenerator<T> {
  return unlessFailing(pages, (error) => is(error, 'permission', 'refused', 'capability'))
}
