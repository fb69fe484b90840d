import type * as z from 'zod'
import type { PostingHistory } from '../../../domain/analytics/best-times.ts'
import { GENERAL_TIMING } from '../../../domain/analytics/general-timing.ts'
import { numbersOf, type RankedRow } from '../../../projections/models/analytics.ts'
import { shown } from '../../kit/shown.ts'
import { rankedPostSchema, type bestTimesSchema } from './analytics-schemas.ts'

type ShownPost = z.infer<typeof rankedPostSchema>
type Advice = Pick<
  z.infer<typeof bestTimesSchema>,
  'basedOn' | 'bestTimes' | 'bestDays' | 'formats' | 'postingFrequency' | 'guidance'
>

export function presentRankedPost(row: RankedRow): ShownPost {
  const { views, interactions, likes, comments, ...rest } = row
  return shown(rankedPostSchema, {
    ...rest,
    ...numbersOf({ views, interactions, likes, comments }),
    id: row.postId,
    postId: row.platformPostId,
    format: row.mediaType,
  })
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
