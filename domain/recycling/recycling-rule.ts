import type { StreamKind } from '../core/event.ts'
import type { PostContent } from '../post/post.ts'
import { recyclingEvents, type RecyclingEvent } from './recycling-events.ts'
import { dueWorkAfter, type DueWork } from './recycling-due-work.ts'

export interface RecyclingRule {
  readonly status: 'active' | 'paused' | 'deleted'
  readonly workspaceId: string
  readonly sourcePostId: string
  readonly selections: Readonly<Record<string, string[]>>
  readonly intervalDays: number
  readonly rewriteCaption: boolean
  readonly nextRecycleAt: string
  /** The start of the interval to the next turn. All times are ISO 8601 UTC. */
  readonly countedFrom: string
  readonly recycleCount: number
  readonly lastRecycledAt: string | undefined
  readonly lastPostId: string | undefined
  /** Why the last turn failed; undefined when it succeeded. */
  readonly lastError: string | undefined
  readonly createdAt: string
  readonly dueWork: DueWork | undefined
  /** The turn in progress. */
  readonly turn: Turn | undefined
}

export interface Turn {
  readonly postId: string
  readonly content: Omit<PostContent, 'workspaceId'>
}

export type RecyclingRuleState = { readonly status: 'absent' } | RecyclingRule

/** A published post that is republished at a fixed interval of days (api-spec §4, Recycling rules). */
export const recyclingRule: StreamKind<RecyclingRuleState, RecyclingEvent> = {
  category: 'rule',
  events: recyclingEvents,
  initial: { status: 'absent' },
  evolve: (state, event, { at }) => {
    if (event.type === 'RecyclingRuleAdded') return added(event.data, at)
    if (state.status === 'absent') return state
    return { ...evolveRule(state, event, at), dueWork: dueWorkAfter(state.dueWork, event, at) }
  },
}

function added(data: Extract<RecyclingEvent, { type: 'RecyclingRuleAdded' }>['data'], at: string): RecyclingRule {
  return {
    ...data,
    status: 'active',
    recycleCount: 0,
    lastRecycledAt: undefined,
    lastPostId: undefined,
    lastError: undefined,
    createdAt: at,
    dueWork: dueWorkAfter(undefined, { type: 'RecyclingRuleAdded', data }, at),
    turn: undefined,
  }
}

function evolveRule(
  rule: RecyclingRule,
  event: Exclude<RecyclingEvent, { type: 'RecyclingRuleAdded' }>,
  at: string,
): RecyclingRule {
  switch (event.type) {
    case 'RecyclingRuleChanged': {
      const { active, ...settings } = event.data
      return { ...rule, ...settings, status: active ? 'active' : 'paused' }
    }
    case 'RecyclingRuleDeleted':
      return { ...rule, status: 'deleted' }
    case 'RecycleRequested':
    case 'CaptionRewritten':
      return rule
    case 'RecycleStarted': {
      const { postId, workspaceId: _, ...content } = event.data
      return { ...rule, turn: { postId, content } }
    }
    case 'RecycleFailed':
      return { ...rule, lastError: event.data.error }
    case 'Recycled': {
      const { postId, countedFrom, nextRecycleAt } = event.data
      const recycleCount = rule.recycleCount + 1
      const last = { lastRecycledAt: at, lastPostId: postId, lastError: undefined }
      return { ...rule, ...last, countedFrom, nextRecycleAt, recycleCount, turn: undefined }
    }
  }
}
