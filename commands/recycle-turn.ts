import { countFrom, nextTurn } from '../domain/recycling/recycling-checks.ts'
import type { RecyclingEvent, RecyclingRule, Rewriting, Turn } from '../domain/recycling/recycling-events.ts'
import type { RecyclingRuleState } from '../domain/recycling/recycling-rule.ts'
import { asText } from '../domain/core/text.ts'

/** Whether a turn is due. @param now ms since the epoch */
export function isTurnDue(state: RecyclingRuleState, now: number): state is RecyclingRule {
  if (state.status === 'absent' || !state.dueWork || state.dueWork.part === 'post') return false
  return Date.parse(state.dueWork.dueAt) <= now
}

/** A turn that is ready to start. */
export interface ReadyTurn extends Turn {
  /** Counted from 1. */
  readonly number: number
  /** The AI's rewrite of each caption; undefined when the captions are unchanged. */
  readonly rewritings: readonly Rewriting[] | undefined
}

/**
 * Starts a turn. No-op when it is no longer due, when another worker has started it, or when the rule's `rewriteCaption` has
 * changed since the caption was prepared. @param now ms since the epoch
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

/** The number of the next turn, or of the one in progress. */
export function numberOfTurn({ recycleCount }: RecyclingRule): number {
  return recycleCount + 1
}

/** Records why the due turn failed. @param now ms since the epoch */
export function failTurn(state: RecyclingRuleState, error: string, now: number): readonly RecyclingEvent[] {
  return isTurnDue(state, now) ? [{ type: 'RecycleFailed', data: { error: asText(error, 2000) } }] : []
}

/** Ends the turn whose post is now queued, and schedules the next one from it. @param now ms since the epoch */
export function endTurn(state: RecyclingRuleState, postId: string, now: number): readonly RecyclingEvent[] {
  if (state.status === 'absent' || state.turn?.postId !== postId) return []
  const countedFrom = countFrom(state.nextRecycleAt, now)
  const nextRecycleAt = nextTurn(countedFrom, state.intervalDays)
  return [{ type: 'Recycled', data: { postId, countedFrom, nextRecycleAt, active: state.status === 'active' } }]
}
