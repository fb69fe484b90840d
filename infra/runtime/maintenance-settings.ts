import { Interval } from 'luxon'
import * as z from 'zod'
import { isoTime } from './clock.ts'
import { list } from './setting-values.ts'

/** When the service calls no platform of its own accord, in ms since the epoch; `until` is not in it. */
export interface MaintenanceWindow {
  readonly from: number
  readonly until: number
}

const INVALID = 'must be intervals with a zone, such as 2026-12-03T02:00Z/2026-12-03T04:00Z or 2026-12-03T02:00Z/PT2H'
/** A date with a time and a zone, or a duration: without a zone, each process would take its own. */
const END = /^P|[\d:.](?:Z|[+-]\d\d:?\d\d)$/

/** ISO 8601 intervals, those that overlap as one, in the order of time. */
export const maintenanceWindows = list(
  z.string().transform((value, context) => {
    const interval = Interval.fromISO(value)
    const ends = value.split('/')
    if (interval.isValid && !interval.isEmpty() && ends.every((end) => END.test(end))) return interval
    context.addIssue({ code: 'custom', message: INVALID })
    return z.NEVER
  }),
).transform((intervals): readonly MaintenanceWindow[] =>
  Interval.merge(intervals).map(({ start, end }) => ({ from: Number(start), until: Number(end) })),
)

/** The window that a moment (ms since the epoch) is in. */
export function windowAt(windows: readonly MaintenanceWindow[], now: number): MaintenanceWindow | undefined {
  return windows.find(({ from, until }) => from <= now && now < until)
}

/** @returns what is wrong, naming the setting */
export function windowProblems(windows: readonly MaintenanceWindow[], graceMs: number): readonly string[] {
  return windows
    .filter(({ from, until }) => until - from > graceMs)
    .map(
      ({ from }) =>
        `MAINTENANCE_WINDOWS: the one of ${isoTime(from)} is longer than SCHEDULE_GRACE; ` +
        'what is due at its beginning would fail as missed where the service is stopped meanwhile',
    )
}
