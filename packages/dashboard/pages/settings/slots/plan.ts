import type { SlotPlan } from '../../../client/types.ts'

export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Day = (typeof DAYS)[number]

/** The plan that counts for every platform without one of its own. */
export const DEFAULT = 'default'

/** The form's state: the times of each day as they are typed, by plan. */
export type Typed = Readonly<Record<string, Readonly<Record<Day, string>>>>

export const NO_TIMES = Object.fromEntries(DAYS.map((day) => [day, ''])) as Record<Day, string>

export function typed({ default: usual, platforms }: SlotPlan): Typed {
  const plans = Object.entries({ [DEFAULT]: usual, ...platforms })
  return Object.fromEntries(plans.map(([name, slots]) => [name, timesOf(slots)]))
}

function timesOf(slots: SlotPlan['default']): Record<Day, string> {
  const times = (day: Day) => slots.filter((slot) => slot.day === day).map(({ time }) => time)
  return Object.fromEntries(DAYS.map((day) => [day, times(day).join(', ')])) as Record<Day, string>
}

/** What is sent. Times are separated by commas or spaces; `9:00` is `09:00`. */
export function planOf(plans: Typed, timezone: string): SlotPlan {
  const slotsOf = (times: Readonly<Record<Day, string>> = NO_TIMES) =>
    DAYS.flatMap((day) =>
      times[day]
        .split(/[\s,;]+/)
        .filter((time) => time !== '')
        .map((time) => ({ day, time: time.padStart(5, '0') })),
    )
  const { [DEFAULT]: usual, ...platforms } = plans
  return {
    timezone,
    default: slotsOf(usual),
    platforms: Object.fromEntries(Object.entries(platforms).map(([name, times]) => [name, slotsOf(times)])),
  }
}
