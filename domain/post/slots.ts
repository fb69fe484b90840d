import { DateTime } from 'luxon'
import { Refusal } from '../core/errors.ts'
import { DAYS, placeOf, type Slot, type SlotPlan } from '../core/slot-plan.ts'
import type { Due } from './post.ts'
import { dueAt } from './wall-time.ts'

/** How far ahead a slot may be. */
const AHEAD_DAYS = 366

export function hasSlots(plan: SlotPlan | undefined): plan is SlotPlan {
  return plan !== undefined && [plan.default, ...Object.values(plan.platforms)].some((slots) => slots.length > 0)
}

/**
 * The slots that are in the plan of every platform.
 *
 * @throws Refusal invalid_request when there is no plan, or no such slot
 */
export function commonSlots(plan: SlotPlan | undefined, platforms: readonly string[]): readonly Slot[] {
  if (!hasSlots(plan)) {
    throw new Refusal(
      'invalid_request',
      'scheduledFor is "next-slot", but there are no slots. Set them with PUT /v1/slots.',
    )
  }
  const plans = platforms.map(
    (platform) => (Object.hasOwn(plan.platforms, platform) && plan.platforms[platform]) || plan.default,
  )
  const [first = plan.default, ...rest] = plans
  const common = first.filter((slot) => rest.every((slots) => slots.some((other) => placeOf(other) === placeOf(slot))))
  if (common.length > 0) return common
  throw new Refusal(
    'invalid_request',
    platforms.length === 1
      ? `scheduledFor is "next-slot", but ${platforms[0]} has no slots. Set them with PUT /v1/slots.`
      : `scheduledFor is "next-slot", but ${platforms.join(', ')} have no slot in common. Set them with PUT /v1/slots.`,
  )
}

/**
 * The moments of slots within the next year that are not taken, soonest first.
 *
 * @param now milliseconds since the epoch
 * @param taken ISO 8601 UTC
 */
export function* freeTimes(
  slots: readonly Slot[],
  timezone: string,
  now: number,
  taken: ReadonlySet<string>,
): Generator<Due> {
  // A skipped time moves forward, so the last slots of yesterday can still be ahead.
  const first = DateTime.fromMillis(now, { zone: timezone }).startOf('day').minus({ days: 1 }).toISODate() ?? ''
  const days = Array.from({ length: AHEAD_DAYS + 2 }, (_, n) =>
    DateTime.fromISO(first, { zone: 'utc' }).plus({ days: n }),
  )
  const until = now + AHEAD_DAYS * 86_400_000
  let last = new Date(now).toISOString()
  for (const day of days) {
    const moments = slots
      .filter((slot) => DAYS.indexOf(slot.day) + 1 === day.weekday)
      .map((slot) => dueAt(day.toISODate() ?? '', slot.time, timezone))
      .toSorted((a, b) => (a.dueAt < b.dueAt ? -1 : 1))
    for (const due of moments) {
      if (due.dueAt <= last || Date.parse(due.dueAt) > until) continue
      last = due.dueAt
      if (!taken.has(due.dueAt)) yield due
    }
  }
}
