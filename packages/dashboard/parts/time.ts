import { t } from '@lingui/core/macro'
import { locale } from './words.ts'

const DAY_MS = 86_400_000

const moment = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' })
const clockTime = new Intl.DateTimeFormat(locale(), { timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' })

/** The user's time zone, by its IANA name. */
export const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

export function inOwnZone(at: string | Date): string {
  return moment.format(new Date(at))
}

/** A sentence from the log, with its times in the user's zone. */
export function withOwnTimes(sentence: string): string {
  return sentence.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z/g, (at) => inOwnZone(at))
}

export function timeOfDay(at: string | number | Date): string {
  return clockTime.format(new Date(at))
}

export function inUtc(at: string | Date): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

const STEPS = [
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** `in 3 hours`, `2 days ago`. */
export function fromNow(at: string, now = Date.now()): string {
  const ms = Date.parse(at) - now
  // By calendar day: Wednesday at 9:00 is not "tomorrow" on Monday night.
  if (Math.abs(ms) >= DAY_MS) return relative.format(daysBetween(dayOf(new Date(now)), dayOf(at)), 'day')
  for (const [unit, length] of STEPS) if (Math.abs(ms) >= length) return relative.format(Math.trunc(ms / length), unit)
  return t`just now`
}

const two = (number: number) => String(number).padStart(2, '0')

/** The day in the user's zone, as `2026-11-22`. */
export function dayOf(at: Date | string): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The time in the user's zone, as `09:05`. */
export function clockOf(at: Date | string): string {
  const date = new Date(at)
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The hour in the user's zone, 0 to 23. */
export function hourOf(at: Date | string): number {
  return new Date(at).getHours()
}

/** Midnight of a day in the user's zone. */
export function startOf(day: string): Date {
  return new Date(`${day}T00:00:00`)
}

export function addDays(day: string, days: number): string {
  const date = startOf(day)
  date.setDate(date.getDate() + days)
  return dayOf(date)
}

function daysBetween(from: string, to: string): number {
  return Math.round((startOf(to).getTime() - startOf(from).getTime()) / DAY_MS)
}

export function today(): string {
  return dayOf(new Date())
}

export function isOver(at: number): boolean {
  return at <= Date.now()
}

/** A day and time in the user's zone, as UTC. */
export function instantOf(day: string, time: string): string {
  return new Date(`${day}T${time}`).toISOString()
}

/** A zone's IANA name as it is shown. */
export function zoneName(zone: string): string {
  return zone.replaceAll('_', ' ')
}

/** All time zones, for a choice. */
export const ZONES = [...new Set(['UTC', OWN_ZONE, ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
  value,
  label: zoneName(value),
}))

const weekday = new Intl.DateTimeFormat(locale(), { weekday: 'long' })
const date = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' })
const WEEK = 7

/** `tomorrow, 09:00`, `Tuesday, 09:00`: by calendar day in the user's zone, not by 24 hours. */
export function onDay(at: string, now = Date.now()): string {
  const days = Math.round((startOf(dayOf(at)).getTime() - startOf(dayOf(new Date(now))).getTime()) / DAY_MS)
  const near = Math.abs(days) <= 1 ? relative.format(days, 'day') : undefined
  const named = Math.abs(days) < WEEK ? weekday : date
  return `${near ?? named.format(new Date(at))}, ${timeOfDay(at)}`
}
