import { DateTime, IANAZone } from 'luxon'
import { Refusal } from '../core/errors.ts'
import type { Due } from './post.ts'

/** Larger than any zone's UTC offset ever was. */
const WIDEST_OFFSET_MS = 15 * 3_600_000
const DATE = /^\d{4}-\d{2}-\d{2}$/
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/

/** Whether the name is an IANA zone. Offsets such as `+02:00` are not: they have no daylight saving time. */
export function isTimeZone(name: string): boolean {
  return /^[A-Za-z]/.test(name) && IANAZone.isValidZone(name)
}

/**
 * The moment that a local time in a zone names. A time skipped when clocks go forward moves forward by the gap; of a time that
 * occurs twice, the first is used (RFC 5545 §3.3.5).
 *
 * @param date calendar date, `2026-05-31`
 * @param time 24-hour time, `18:00`
 * @throws Refusal invalid_request naming the field
 */
export function dueAt(date: string, time: string, timezone: string): Due {
  const day = DateTime.fromISO(DATE.test(date) ? date : '', { zone: 'utc' })
  if (!day.isValid) {
    throw new Refusal('invalid_request', `date must be a calendar date such as 2026-05-31; ${date} is not one`)
  }
  const [, hours, minutes] = TIME.exec(time) ?? []
  if (hours === undefined) throw new Refusal('invalid_request', `time must be a time such as 09:00; ${time} is not one`)
  if (!isTimeZone(timezone)) {
    throw new Refusal('invalid_request', `timezone must be an IANA name such as Europe/Berlin; ${timezone} is not one`)
  }
  const local = day.toMillis() + (Number(hours) * 60 + Number(minutes)) * 60_000
  const moment = momentOf(local, IANAZone.create(timezone))
  return { date, time, timezone, dueAt: new Date(moment).toISOString() }
}

/** A moment in a zone's local time. @param dueAt ISO 8601 UTC */
export function dueAtMoment(dueAt: string, timezone: string): Due {
  const local = DateTime.fromISO(dueAt, { zone: timezone })
  return { date: local.toFormat('yyyy-MM-dd'), time: local.toFormat('HH:mm'), timezone, dueAt }
}

/** A moment in a zone with its offset, to the minute: `2026-05-31T18:00+02:00`. @param at ISO 8601 UTC */
export function timeWithOffset(at: string, timezone: string): string {
  return DateTime.fromISO(at, { zone: timezone }).toFormat("yyyy-MM-dd'T'HH:mmZZ")
}

/** The calendar day of a moment in a zone, and when it ends. @param at ISO 8601 UTC */
export function dayOf(at: string, timezone: string): { readonly date: string; readonly endsAt: string } {
  const local = DateTime.fromISO(at, { zone: timezone })
  const endsAt = local.plus({ days: 1 }).startOf('day').toMillis()
  return { date: local.toFormat('yyyy-MM-dd'), endsAt: new Date(endsAt).toISOString() }
}

/** @param localMs the local time as if it were UTC */
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
