import * as z from 'zod'
import { text } from './text.ts'

export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

const slot = z.object({ day: z.enum(DAYS), time: z.string() })

/** The times of the week at which a workspace posts. A platform's own times replace the default ones. */
export const slotPlan = z.object({
  timezone: text(100),
  default: z.array(slot),
  platforms: z.record(z.string(), z.array(slot)),
})
export type Slot = z.infer<typeof slot>
export type SlotPlan = z.infer<typeof slotPlan>

export const NO_SLOTS: SlotPlan = { timezone: 'UTC', default: [], platforms: {} }

/** The same plan, each list sorted and without doubles. */
export function tidyPlan(plan: SlotPlan): SlotPlan {
  const platforms = Object.entries(plan.platforms).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    timezone: plan.timezone,
    default: tidy(plan.default),
    platforms: Object.fromEntries(platforms.map(([platform, slots]) => [platform, tidy(slots)])),
  }
}

function tidy(slots: readonly Slot[]): Slot[] {
  return [...new Map(slots.map((slot) => [placeOf(slot), slot])).entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, slot]) => slot)
}

/** Sorts as the slots do. */
export function placeOf({ day, time }: Slot): string {
  return `${DAYS.indexOf(day)} ${time}`
}
