import { Refusal } from '../domain/core/errors.ts'
import { tidyPlan, type SlotPlan } from '../domain/core/slot-plan.ts'
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
