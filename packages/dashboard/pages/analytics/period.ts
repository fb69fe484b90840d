import { t } from '@lingui/core/macro'

/** The period that is shown: whole days in UTC, as the API counts them. */
export interface Period {
  readonly days: number
  /** The last day. */
  readonly asOf: string
}

/** Columns of a chart that begin and end with a day. */
export interface Bucket {
  readonly first: string
  readonly last: string
}

const DAY_MS = 86_400_000
const MOST_DAYS = 90
/** With more days, a column has a week. */
const MOST_COLUMNS = 31
const WEEK = 7

const utcDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const startOf = (day: string) => Date.parse(`${day}T00:00:00Z`)

export function utcToday(): string {
  return utcDay(Date.now())
}

export function movedBy(day: string, days: number): string {
  return utcDay(startOf(day) + days * DAY_MS)
}

/** The last days or, where both days are given, from one to the other; a sentence says what is wrong with them. */
export function periodOf(
  { days, from, to }: { readonly days: string; readonly from: string; readonly to: string },
  today: string,
): Period | string {
  if (days !== 'own') return { days: Number(days), asOf: today }
  if (!(startOf(from) <= startOf(to))) return t`Choose a first day and a last day, in this order.`
  const asOf = to < today ? to : today
  const count = (startOf(asOf) - startOf(from)) / DAY_MS + 1
  if (count < 1) return t`The first day is in the future.`
  return count > MOST_DAYS ? t`Choose at most ${MOST_DAYS} days.` : { days: count, asOf }
}

/** The period of the same length that ends where this one begins. */
export function periodBefore({ days, asOf }: Period): Period {
  return { days, asOf: movedBy(asOf, -days) }
}

/** Earliest first. Weeks end with the last day; the first one may have fewer days. */
export function bucketsOf({ days, asOf }: Period): readonly Bucket[] {
  const size = days > MOST_COLUMNS ? WEEK : 1
  const count = Math.ceil(days / size)
  return Array.from({ length: count }, (_, index) => {
    const last = movedBy(asOf, -(count - 1 - index) * size)
    const first = movedBy(last, 1 - size)
    const begin = movedBy(asOf, 1 - days)
    return { first: first < begin ? begin : first, last }
  })
}

/** Where a day of any time zone belongs: at the ends, zones have days that UTC has not. */
export function bucketAt(buckets: readonly Bucket[], date: string): number {
  const found = buckets.findIndex(({ last }) => date <= last)
  return found < 0 ? buckets.length - 1 : found
}
