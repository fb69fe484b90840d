import type { FetchedComment } from '../kit/conversation.ts'
import { PlatformError, type PlatformErrorKind } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import type { GraphErrors } from './errors.ts'
import type { GraphTrouble } from './trouble.ts'

const DAY_MS = 86_400_000
/** How much older than the comments that are looked for a post may be: Meta lists comments by post only. */
const POST_AGE_MS = 90 * DAY_MS
/** One post that can't be read is passed over. So many, and it is not the posts. */
const MOST_FAILURES = 3

/** The other posts would be refused as well. */
const ENDS_THE_LOOK: readonly PlatformErrorKind[] = ['needs-reauth', 'forbidden']

/** What is looked through, newest first. */
export interface Look<Post> {
  /** Those that may have comments. */
  readonly posts: AsyncIterable<readonly Post[]>
  readonly under: (post: Post) => AsyncIterable<readonly FetchedComment[]>
  readonly mentions?: AsyncIterable<readonly FetchedComment[]>
  /** Whether an error says that a post has gone meanwhile. */
  readonly isGone: (error: unknown) => boolean
}

/** From when on (ms since the epoch) a post may have comments that are not older than `since`. */
export function postsFrom(since: number): number {
  return since - POST_AGE_MS
}

/**
 * Reads what is under each post, and what else names the account. What can't be read is told once all else has been.
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

/** What not every token may read is done without. */
export function ifAllowed<T>(
  { isTrouble }: Pick<GraphErrors<GraphTrouble>, 'isTrouble'>,
  pages: AsyncIterable<T>,
): AsyncGenerator<T> {
  return unlessFailing(pages, (error) => isTrouble(error, 'permission', 'refused'))
}
