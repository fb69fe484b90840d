import { IANAZone } from 'luxon'
import { grouped } from '../core/grouped.ts'
import { totalOf, type Figures } from './figures.ts'

/** The sums of the posts that were published on one day on one platform. A number that none of them has is absent. */
export interface DayFigures<Platform> extends Figures {
  /** As `2026-11-22`, in the time zone. */
  readonly date: string
  readonly platform: Platform
  readonly posts: number
}

/**
 * By day, then by platform; days without a post are left out.
 *
 * @param timezone IANA name
 */
export function dailyFigures<Platform extends string>(
  posts: readonly (Figures & { readonly publishedAt: string; readonly platform: Platform })[],
  timezone: string,
): readonly DayFigures<Platform>[] {
  const zone = IANAZone.create(timezone)
  const dateOf = (publishedAt: string) => {
    const at = Date.parse(publishedAt)
    return new Date(at + zone.offset(at) * 60_000).toISOString().slice(0, 10)
  }
  return [...grouped(posts, ({ publishedAt }) => [dateOf(publishedAt)])]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([date, ofDay]) =>
      [...grouped(ofDay, ({ platform }) => [platform])]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([platform, all]) => ({ date, platform, posts: all.length, ...totalOf(all) })),
    )
}
