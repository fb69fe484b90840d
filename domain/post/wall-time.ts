import { DateTime, IANAZone } from 'luxon'
import { Refusal } from '../core/errors.ts'
import type { Due } from './post.ts'

/** Further than any zone has ever been from UTC. */
const WIDEST_OFFSET_MS = 15 * 3_600_000
const DATE = /^\d{4}-\d{2}-\d{2}$/
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/

/** Whether it is the name of an IANA zone. Offsets such as `+02:00` are none: they know no summer. */
export function isTimeZone(name: string): boolean {
  return /^[A-Za-z]/.test(name) && IANAZone.isValidZone(name)
}

/**
 * The moment that a time of day in a zone names. One that is skipped when clocks go forward moves forward by as much; of
 * one that comes twice the first is meant (RFC 5545 §3.3.5).
 *
 * @param date calendar date, `2026-05-31`
 * @param time of 24 hours, `18:00`
 * @throws Refusal invalid_request naming the field
 */
export function dueAt(date: string, time: string, timezone: string): Due {
  const day = DateTime.fromISO(DATE.test(date) ? date : '', { zone: 'utc' })
  if (!day.isValid) {
    throw new Refusal('invalid_request', `date must be a date of the calendar as 2026-05-31; ${date} is none`)
  }
  const [, hours, minutes] = TIME.exec(time) ?? []
  if (hours === undefined) throw new Refusal('invalid_request', `time must be a time as 09:00; ${time} is none`)
  if (!isTimeZone(timezone)) {
    throw new Refusal('invalid_request', `timezone must be an IANA name as Europe/Berlin; ${timezone} is none`)
  }
  const local = day.toMillis() + (Number(hours) * 60 + Number(minutes)) * 60_000
  const moment = momentOf(local, IANAZone.create(timezone))
  return { date, time, timezone, dueAt: new Date(moment).toISOString() }
}

/** A moment as clocks in a zone show it. @param dueAt ISO 8601 UTC */
export function dueAtMoment(dueAt: string, timezone: string): Due {
  const local = DateTime.fromISO(dueAt, { zone: timezone })
  return { date: local.toFormat('yyyy-MM-dd'), time: local.toFormat('HH:mm'), timezone, dueAt }
}

/** @param localMs the time of day as if it were UTC's */
function momentOf(localMs: number, zone: IANAZone): number {
  const around = [-WIDEST_OFFSET_MS, 0, WIDEST_OFFSET_MS].map((away) => offsetMs(zone, localMs + away))
  const moments = around
    .map((offset) => localMs - offset)
    .filter((moment) => moment + offsetMs(zone, moment) === localMs)
  const [before = 0] = around
  return moments.length > 0 ? Math.min(...moments) : localMs - before
}

function offsetMs(zone: IANAZone, moment: number): number {
  return zone.offset(moment) * 60_000
}
