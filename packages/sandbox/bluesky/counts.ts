import { grown } from '../growth.ts'

/** What posts of each account come to. */
const MOST = { likeCount: 300, repostCount: 60, replyCount: 30, quoteCount: 15, bookmarkCount: 40 }

/** @param answers those that are really here, beside the ones that are made up */
export function postCounts(uri: string, ageMs: number, answers = 0): Readonly<Record<keyof typeof MOST, number>> {
  const counted = (what: keyof typeof MOST): number => grown(`${what}:${uri}`, ageMs, MOST[what])
  return {
    likeCount: counted('likeCount'),
    repostCount: counted('repostCount'),
    replyCount: counted('replyCount') + answers,
    quoteCount: counted('quoteCount'),
    bookmarkCount: counted('bookmarkCount'),
  }
}
