import { Refusal } from '../domain/core/errors.ts'
import { nextTurn } from '../domain/recycling/recycling-checks.ts'
import type { RecyclingEvent, RecyclingRule } from '../domain/recycling/recycling-events.ts'
import type { RecyclingRuleState } from '../domain/recycling/recycling-rule.ts'
import { isoTime } from '../infra/runtime/clock.ts'

export type AddRule = Omit<
  Extract<RecyclingEvent, { type: 'RecyclingRuleAdded' }>['data'],
  'countedFrom' | 'nextRecycleAt'
>

/** Omitted fields stay as they are. */
export interface RuleChange {
  readonly active?: boolean | undefined
  readonly selections?: Readonly<Record<string, string[]>> | undefined
  readonly intervalDays?: number | undefined
  readonly rewriteCaption?: boolean | undefined
}

/** Adding the same rule again is a no-op. The first turn is counted from now. @param now ms since the epoch */
export function addRule(state: RecyclingRuleState, command: AddRule, now: number): readonly RecyclingEvent[] {
  if (state.status !== 'absent') return []
  const countedFrom = isoTime(now)
  const nextRecycleAt = nextTurn(countedFrom, command.intervalDays)
  return [{ type: 'RecyclingRuleAdded', data: { ...command, countedFrom, nextRecycleAt } }]
}

/**
 * Recomputes the next turn from the last success or from creation (decisions, "RSS and recycling").
 *
 * @throws Refusal not_found when it is deleted
 */
export function changeRule(state: RecyclingRuleState, change: RuleChange): readonly RecyclingEvent[] {
  const rule = mustBeThere(state)
  const { workspaceId, countedFrom } = rule
  const { active = rule.status === 'active', intervalDays = rule.intervalDays } = change
  const { selections = rule.selections, rewriteCaption = rule.rewriteCaption } = change
  const settings = { selections, intervalDays, rewriteCaption }
  const nextRecycleAt = nextTurn(countedFrom, intervalDays)
  return [{ type: 'RecyclingRuleChanged', data: { workspaceId, active, ...settings, nextRecycleAt } }]
}

/** @throws Refusal not_found when it is deleted */
export function deleteRule(state: RecyclingRuleState): readonly RecyclingEvent[] {
  mustBeThere(state)
  return [{ type: 'RecyclingRuleDeleted', data: {} }]
}

/**
 * Requests a turn now. No-op while one is in progress or already requested.
 *
 * @param now ms since the epoch
 * @throws Refusal not_found when it is deleted, failed_precondition while it is paused
 */
export function requestTurn(state: RecyclingRuleState, now: number): readonly RecyclingEvent[] {
  const { status, dueWork: dueWork } = mustBeThere(state)
  if (status === 'paused') throw new Refusal('failed_precondition', 'The rule is paused: set active to true first.')
  const isAsked = dueWork?.part === 'request' && Date.parse(dueWork.dueAt) <= now
  return isAsked || dueWork?.part === 'post' ? [] : [{ type: 'RecycleRequested', data: {} }]
}

function mustBeThere(state: RecyclingRuleState): RecyclingRule {
  if (state.status === 'absent' || state.status === 'deleted') throw new Refusal('not_found', 'No such recycling rule.')
  return state
}
