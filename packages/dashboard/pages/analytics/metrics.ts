import { t } from '@lingui/core/macro'
import type { DayNumbers } from '../../client/types.ts'
import { shown, shownRate } from './numbers.ts'
import { bucketAt, type Bucket } from './period.ts'

export const METRICS = [
  { value: 'views', label: t`Views` },
  { value: 'interactions', label: t`Interactions` },
  { value: 'engagement', label: t`Engagement` },
  { value: 'likes', label: t`Likes` },
  { value: 'comments', label: t`Comments` },
  { value: 'posts', label: t`Posts` },
] as const
export type Metric = (typeof METRICS)[number]['value']

/** What one column has of each series; a series that has no number is left out. */
export interface Column extends Bucket {
  readonly parts: Readonly<Record<string, number>>
  readonly total: number | undefined
}

export const formatOf = (metric: Metric) => (metric === 'engagement' ? shownRate : shown)

/** A rate is of all networks together: rates cannot be added. */
export function columnsOf(metric: Metric, days: readonly DayNumbers[], buckets: readonly Bucket[]): readonly Column[] {
  const rows = buckets.map((): DayNumbers[] => [])
  for (const day of days) rows[bucketAt(buckets, day.date)]?.push(day)
  return buckets.map((bucket, index) => {
    const own = rows[index] ?? []
    if (metric === 'engagement') return { ...bucket, parts: {}, total: rateOf(own) }
    const parts: Record<string, number> = {}
    for (const { platform, [metric]: value } of own) {
      if (value !== undefined) parts[platform] = (parts[platform] ?? 0) + value
    }
    const known = Object.values(parts)
    return { ...bucket, parts, total: known.length > 0 ? known.reduce((sum, value) => sum + value, 0) : undefined }
  })
}

function rateOf(days: readonly DayNumbers[]): number | undefined {
  let [engaged, seen] = [0, 0]
  for (const { views, interactions } of days) {
    if (views === undefined || interactions === undefined) continue
    engaged += interactions
    seen += views
  }
  return seen > 0 ? engaged / seen : undefined
}

const STEPS = [1, 2, 2.5, 3, 4, 5, 6, 8, 10]
const LINES = 4

/** The round numbers beside an axis, from 0 to at least the most. */
export function ticksFor(most: number): readonly number[] {
  if (most <= 0) return [0, 1]
  const least = most / LINES
  const power = 10 ** Math.floor(Math.log10(least))
  const step = (STEPS.find((step) => step * power >= least) ?? 10) * power
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, line) => line * step)
}
