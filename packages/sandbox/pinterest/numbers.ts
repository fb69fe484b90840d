import { isoTime } from '../../../infra/runtime/clock.ts'
import { grown } from '../growth.ts'
import type { LedgerAccount, LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { imageScript } from './script.ts'

export const DAY_MS = 86_400_000
const MOST_IMPRESSIONS = 8_000
const MOST_FOLLOWERS = 2_000

/** Metrics of every Pin, and further ones of a video, without those that Fanfare does not use. */
export const OF_ANY_PIN = [
  'IMPRESSION',
  'SAVE',
  'PIN_CLICK',
  'OUTBOUND_CLICK',
  'TOTAL_COMMENTS',
  'TOTAL_REACTIONS',
] as const
export const OF_VIDEOS = ['VIDEO_MRC_VIEW'] as const
export type Metric = (typeof OF_ANY_PIN)[number] | (typeof OF_VIDEOS)[number]

const OVER_LIFE: readonly Metric[] = ['TOTAL_COMMENTS', 'TOTAL_REACTIONS']

/** Maximum per thousand impressions. */
const SHARES: Readonly<Record<Metric, number>> = {
  IMPRESSION: 1_000,
  SAVE: 30,
  PIN_CLICK: 80,
  OUTBOUND_CLICK: 25,
  TOTAL_COMMENTS: 5,
  TOTAL_REACTIONS: 40,
  VIDEO_MRC_VIEW: 500,
}

/** The value of a count at a point in time. */
function countAt(metric: Metric, { id, createdAt, reach }: LedgerPost, time: number): number {
  const impressions = grown(`impressions:${id}`, time - Date.parse(createdAt), MOST_IMPRESSIONS, reach)
  if (metric === 'IMPRESSION') return impressions
  return Math.floor((impressions * grown(`${metric}:${id}`, Infinity, SHARES[metric])) / 1000)
}

export interface Period {
  /** Start of the first and of the last day, in milliseconds since the epoch. */
  readonly start: number
  readonly end: number
}

/** A report: by day, total of the period, and total of the Pin's lifetime. */
export function reportOn(pin: LedgerPost, { start, end }: Period, metrics: readonly Metric[], now: number): object {
  const { uncounted } = imageScript(pin.mediaUrl)
  const between = (from: number, until: number): object =>
    Object.fromEntries(
      metrics
        .filter((metric) => !OVER_LIFE.includes(metric))
        .map((metric) => [
          metric,
          uncounted ? 0 : countAt(metric, pin, Math.min(until, now)) - countAt(metric, pin, Math.min(from, now)),
        ]),
    )
  const days = Array.from({ length: (end - start) / DAY_MS + 1 }, (_, index) => start + index * DAY_MS)
  const overLife = uncounted ? [] : metrics.filter((metric) => OVER_LIFE.includes(metric))
  return {
    daily_metrics: days.map((day) => {
      const status = uncounted ? 'BEFORE_CORE_METRIC_START_DATE' : statusOf(day, pin, now)
      const isCounted = !status.startsWith('BEFORE_')
      return {
        date: isoTime(day).slice(0, 10),
        data_status: status,
        metrics: isCounted ? between(day, day + DAY_MS) : {},
      }
    }),
    summary_metrics: between(start, end + DAY_MS),
    lifetime_metrics: Object.fromEntries(overLife.map((metric) => [metric, countAt(metric, pin, now)])),
  }
}

function statusOf(day: number, { createdAt }: LedgerPost, now: number): string {
  if (day + DAY_MS <= Date.parse(createdAt)) return 'BEFORE_PIN_CREATED'
  if (now < day + DAY_MS) return 'PROCESSING'
  return now < day + 2 * DAY_MS ? 'ESTIMATE' : 'READY'
}

/** The Pin's own `pin_metrics`. */
export function shownNumbers(pin: LedgerPost, now: number): object | null {
  if (imageScript(pin.mediaUrl).uncounted) return null
  const since = now - 90 * DAY_MS
  const ever = (metric: Metric): number => countAt(metric, pin, now)
  const lately = (metric: Metric): number => ever(metric) - countAt(metric, pin, since)
  const both = (count: (metric: Metric) => number): object => ({
    pin_click: count('PIN_CLICK'),
    impression: count('IMPRESSION'),
    clickthrough: count('OUTBOUND_CLICK'),
  })
  return {
    '90d': both(lately),
    lifetime_metrics: { ...both(ever), reaction: ever('TOTAL_REACTIONS'), comment: ever('TOTAL_COMMENTS') },
  }
}

/** What a report about a picture says of all its days, under Fanfare's names. */
export function countsAt(pin: LedgerPost, time: number) {
  const of = (metric: Metric): number => countAt(metric, pin, time)
  return {
    impressions: of('IMPRESSION'),
    saves: of('SAVE'),
    pinClicks: of('PIN_CLICK'),
    outboundClicks: of('OUTBOUND_CLICK'),
    comments: of('TOTAL_COMMENTS'),
    reactions: of('TOTAL_REACTIONS'),
  }
}

/** The counts in `GET /user_account`. */
export function accountNumbers({ externalId, createdAt }: LedgerAccount, { ledger, clock }: StandInDeps): object {
  const now = clock.now()
  const pins = ledger.posts('pinterest', { accountId: externalId })
  const views = pins.map((pin) => countAt('IMPRESSION', pin, now) - countAt('IMPRESSION', pin, now - 30 * DAY_MS))
  return {
    follower_count: grown(`followers:${externalId}`, now - Date.parse(createdAt), MOST_FOLLOWERS),
    pin_count: pins.length,
    monthly_views: views.reduce((sum, each) => sum + each, 0),
  }
}
