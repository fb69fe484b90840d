import type { z } from 'zod'
import type { PostingHistory } from '../../../domain/analytics/best-times.ts'
import { GENERAL_TIMING } from '../../../domain/analytics/general-timing.ts'
import { numbersOf, type RankedRow } from '../../../projections/models/analytics.ts'
import type { bestTimesSchema, topPostsSchema } from './analytics-schemas.ts'

type ShownPost = z.infer<typeof topPostsSchema>['posts'][number]
type Advice = Pick<
  z.infer<typeof bestTimesSchema>,
  'basedOn' | 'bestTimes' | 'bestDays' | 'formats' | 'postingFrequency' | 'guidance'
>

export function presentRankedPost(row: RankedRow): ShownPost {
  const { post_id: id, platform_post_id: postId, platform, account_id: accountId, hashtags, metrics } = row
  return {
    ...{ id, postId, platform, accountId, publishedAt: row.published_at, format: row.media_type },
    ...(row.caption !== null && { caption: row.caption }),
    ...{ hashtags: [...hashtags], ...numbersOf(row), metrics, capturedAt: row.captured_at },
  }
}

export function presentHistory({ times, weekdays, formats, postsPerWeek, bestPostsPerWeek }: PostingHistory): Advice {
  return {
    basedOn: 'history',
    bestTimes: times.map(({ key, ...performance }) => ({ ...key, ...performance })),
    bestDays: weekdays.map(({ key: weekday, ...performance }) => ({ weekday, ...performance })),
    formats: formats.map(({ key: format, ...performance }) => ({ format, ...performance })),
    postingFrequency: { postsPerWeek, recommendedPostsPerWeek: bestPostsPerWeek },
  }
}

export function presentGeneral(): Advice {
  const { times, weekdays, formats, postsPerWeek, guidance } = GENERAL_TIMING
  return {
    basedOn: 'general',
    bestTimes: [...times],
    bestDays: weekdays.map((weekday) => ({ weekday })),
    formats: formats.map((format) => ({ format })),
    postingFrequency: { recommendedPostsPerWeek: postsPerWeek },
    guidance: [...guidance],
  }
}
