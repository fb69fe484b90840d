import { Refusal } from '../domain/core/errors.ts'
import { NO_SLOTS, tidyPlan, type SlotPlan } from '../domain/core/slot-plan.ts'
import type { WorkspaceEvent, WorkspaceState } from '../domain/workspace/workspace.ts'

/**
 * Sets the times of the week at which a workspace posts.
 *
 * @throws Refusal not_found
 */
export function setSlots(state: WorkspaceState, plan: SlotPlan): readonly WorkspaceEvent[] {
  if (state.status !== 'active') throw new Refusal('not_found', 'No such workspace.')
  const next = tidyPlan(plan)
  return JSON.stringify(state.slots) === JSON.stringify(next) ? [] : [{ type: 'SlotsSet', data: next }]
}

/**
 * Sets the zone that the slots are in. Their times of the day stay as they are.
 *
 * @throws Refusal not_found
 */
export function setTimeZone(state: WorkspaceState, timezone: string): readonly WorkspaceEvent[] {
  const slots = state.status === 'active' ? state.slots : undefined
  return setSlots(state, { ...(slots ?? NO_SLOTS), timezone })
}
