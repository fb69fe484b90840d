import { grown } from '../growth.ts'

/** Upper bounds for the counts of an account's posts. */
const MOST = { likeCount: 300, repostCount: 60, replyCount: 30, quoteCount: 15, bookmarkCount: 40 }

/**
 * @param answers replies that exist here, added to the simulated ones
 * @param reach as in `LedgerPost`
 */
export function postCounts(
  uri: string,
  ageMs: number,
  answers = 0,
  reach?: number,
): Readonly<Record<keyof typeof MOST, number>> {
  const counted = (what: keyof typeof MOST): number => grown(`${what}:${uri}`, ageMs, MOST[what], reach)
  return {
    likeCount: counted('likeCount'),
    repostCount: counted('repostCount'),
    replyCount: counted('replyCount') + answers,
    quoteCount: counted('quoteCount'),
    bookmarkCount: counted('bookmarkCount'),
  }
}
