import { countFrom, nextTurn } from '../domain/recycling/recycling-checks.ts'
import type { RecyclingEvent, Rewriting } from '../domain/recycling/recycling-events.ts'
import type { RecyclingRule, RecyclingRuleState, Turn } from '../domain/recycling/recycling-rule.ts'
import { asText } from '../domain/core/text.ts'

/** Whether a turn is to be made. @param now ms since the epoch */
export function isTurnDue(state: RecyclingRuleState, now: number): state is RecyclingRule {
  if (state.status === 'absent' || !state.owed || state.owed.part === 'post') return false
  return Date.parse(state.owed.dueAt) <= now
}

/** A turn that could begin. */
export interface ReadyTurn extends Turn {
  /** Counted from 1. */
  readonly number: number
  /** By the AI, caption by caption; undefined when they are as they were. */
  readonly rewritings: readonly Rewriting[] | undefined
}

/**
 * Begins a turn. Nothing when it is not due any more, when another worker has made it, or when its caption is not what the
 * rule wants by now. @param now ms since the epoch
 */
export function startTurn(state: RecyclingRuleState, ready: ReadyTurn, now: number): readonly RecyclingEvent[] {
  const isStill = isTurnDue(state, now) && ready.number === numberOfTurn(state)
  const { postId, content, rewritings } = ready
  if (!isStill || (rewritings !== undefined) !== state.rewriteCaption) return []
  const { workspaceId, selections } = state
  return [
    { type: 'RecycleStarted', data: { postId, workspaceId, ...content, selections } },
    ...(rewritings ?? []).map((rewriting) => ({ type: 'CaptionRewritten' as const, data: { postId, ...rewriting } })),
  ]
}

/** Of the turn that is next, or under way. */
export function numberOfTurn({ recycleCount }: RecyclingRule): number {
  return recycleCount + 1
}

/** Puts down why the turn that is due could not be made. */
export function failTurn(state: RecyclingRuleState, error: string, now: number): readonly RecyclingEvent[] {
  return isTurnDue(state, now) ? [{ type: 'RecycleFailed', data: { error: asText(error, 2000) } }] : []
}

/** Ends the turn whose post is queued now. The next one is counted from it. @param now ms since the epoch */
export function endTurn(state: RecyclingRuleState, postId: string, now: number): readonly RecyclingEvent[] {
  if (state.status === 'absent' || state.turn?.postId !== postId) return []
  const countedFrom = countFrom(state.nextRecycleAt, now)
  const nextRecycleAt = nextTurn(countedFrom, state.intervalDays)
  return [{ type: 'Recycled', data: { postId, countedFrom, nextRecycleAt, active: state.status === 'active' } }]
}
