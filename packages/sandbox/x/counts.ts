import { grown } from '../growth.ts'

/** Upper bounds for the counts of an account's posts. */
const MOST = { impressions: 40_000, likes: 300, reposts: 60, replies: 30, quotes: 15, bookmarks: 40 }

export type Counts = Readonly<Record<keyof typeof MOST, number>>

/**
 * @param answers replies that exist here, added to the simulated ones
 * @param reach as in `LedgerPost`
 */
export function countsOf(id: string, ageMs: number, answers = 0, reach?: number): Counts {
  const counted = (what: keyof typeof MOST): number => grown(`${what}:${id}`, ageMs, MOST[what], reach)
  return {
    impressions: counted('impressions'),
    likes: counted('likes'),
    reposts: counted('reposts'),
    replies: counted('replies') + answers,
    quotes: counted('quotes'),
    bookmarks: counted('bookmarks'),
  }
}
