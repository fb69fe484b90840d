import * as z from 'zod'
import type { PostMetrics } from '../../domain/analytics/metrics.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { count, known } from '../kit/counts.ts'
import type { Api } from './api.ts'

const DAY_MS = 86_400_000
/** 90 are allowed; one less in case the day (UTC) changes during the call. */
const DAYS_BACK = 89

const OF_ANY_PIN = ['IMPRESSION', 'SAVE', 'PIN_CLICK', 'OUTBOUND_CLICK', 'TOTAL_COMMENTS', 'TOTAL_REACTIONS'] as const
const OF_VIDEOS = ['VIDEO_MRC_VIEW'] as const

/** Statuses of days that have numbers, final or not. Other statuses say why there are none. */
const COUNTED: readonly string[] = ['READY', 'PROCESSING', 'ESTIMATE']

const summary = z.object({
  IMPRESSION: count,
  SAVE: count,
  PIN_CLICK: count,
  OUTBOUND_CLICK: count,
  VIDEO_MRC_VIEW: count,
})
const lifetime = z.object({ TOTAL_COMMENTS: count, TOTAL_REACTIONS: count })
const days = z.array(z.object({ data_status: z.string().catch('') }))

const report = z
  .object({
    all: z.object({
      daily_metrics: days.catch([]),
      summary_metrics: summary.catch({}),
      lifetime_metrics: lifetime.catch({}),
    }),
  })
  .transform(({ all: { daily_metrics, summary_metrics, lifetime_metrics } }): PostMetrics => {
    // The sum is 0 even if no day has numbers, so ignore it then.
    const isCounted = daily_metrics.length === 0 || daily_metrics.some((day) => COUNTED.includes(day.data_status))
    const sum: z.infer<typeof summary> = isCounted ? summary_metrics : {}
    return known({
      views: sum.VIDEO_MRC_VIEW,
      impressions: sum.IMPRESSION,
      saves: sum.SAVE,
      pinClicks: sum.PIN_CLICK,
      outboundClicks: sum.OUTBOUND_CLICK,
      comments: lifetime_metrics.TOTAL_COMMENTS,
      reactions: lifetime_metrics.TOTAL_REACTIONS,
    })
  })

/**
 * Pinterest's report on a Pin: comments and reactions over its lifetime, everything else for the last 90 days, as far
 * back as Pinterest keeps numbers.
 *
 * @param path API path of the Pin
 * @param now milliseconds since the epoch
 * @throws PlatformError
 */
export function reportOn(path: string, isVideo: boolean, now: number, api: Api): Promise<PostMetrics> {
  const query = new URLSearchParams({
    start_date: dateOf(now - DAYS_BACK * DAY_MS),
    end_date: dateOf(now),
    metric_types: [...OF_ANY_PIN, ...(isVideo ? OF_VIDEOS : [])].join(','),
    app_types: 'ALL',
    split_field: 'NO_SPLIT',
  })
  return api({ method: 'GET', path: `${path}/analytics?${query}` }, report)
}

/** The date in UTC, such as `2026-03-01`. */
function dateOf(time: number): string {
  return isoTime(time).slice(0, 10)
}
