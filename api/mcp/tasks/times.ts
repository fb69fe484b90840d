import * as z from 'zod'
import { dueAt, dueAtMoment } from '../../../domain/post/wall-time.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { TaskWork } from './task.ts'

const LOCAL = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::00)?)?$/
/** As the API returns times. */
const RETURNED = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z$/
const NEXT_SLOT = 'next-slot'

function isTime(value: string): boolean {
  return LOCAL.test(value) || (/(Z|[+-]\d{2}:\d{2})$/.test(value) && !Number.isNaN(Date.parse(value)))
}

export const moment = z
  .string()
  .refine(isTime, { error: 'must be a time such as 2026-12-03T09:00, or 2026-12-03T09:00+01:00' })

export const when = z
  .string()
  .refine((value) => value === NEXT_SLOT || isTime(value), {
    error: 'must be "next-slot" or a time such as 2026-12-03T09:00, or 2026-12-03T09:00+01:00',
  })
  .describe(
    '"next-slot" (the next free time for posts), or 2026-12-03T09:00 in the zone of the workspace, or with an offset',
  )

/** The time in the fields of a request that schedules. */
export function dueFields(value: string, { timezone }: TaskWork): object {
  if (value === NEXT_SLOT) return { scheduledFor: value }
  const [, date, time] = LOCAL.exec(value) ?? []
  return date === undefined ? { scheduledFor: isoTime(Date.parse(value)) } : { date, time, timezone }
}

/** The time in UTC. A date is its start. */
export function momentOf(value: string | undefined, { timezone }: TaskWork): string | undefined {
  if (value === undefined) return undefined
  const [, date, time = '00:00'] = LOCAL.exec(value) ?? []
  return date === undefined ? isoTime(Date.parse(value)) : dueAt(date, time, timezone).dueAt
}

/** As the tools take it: `2026-05-31T18:00`. */
function localTime(at: string, timezone: string): string {
  const { date, time } = dueAtMoment(at, timezone)
  return `${date}T${time}`
}

/** A value with all its times in the zone, and without what is empty. */
export function inZone(value: unknown, timezone: string): unknown {
  if (typeof value === 'string') return RETURNED.test(value) ? localTime(value, timezone) : value
  if (Array.isArray(value)) return value.map((item: unknown) => inZone(item, timezone))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, inZone(inner, timezone)] as const)
  return Object.fromEntries(entries.filter(([, inner]) => !isEmpty(inner)))
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
