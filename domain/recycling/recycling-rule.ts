import { unchanged, type StreamKind } from '../core/event.ts'
import { erasedRecycling, recyclingEvents, type RecyclingEvent, type RecyclingRule } from './recycling-events.ts'
import { dueWorkAfter } from './recycling-due-work.ts'

export type RecyclingRuleState = { readonly status: 'absent' } | RecyclingRule

/** A published post that is republished at a fixed interval of days (api-spec §4, Recycling rules). */
export const recyclingRule: StreamKind<RecyclingRuleState, RecyclingEvent> = {
  category: 'rule',
  events: recyclingEvents,
  // Version 2 may have options of platforms, version 3 options of accounts and several media, version 6 a document.
  upcasters: {
    RecycleStarted: [unchanged, unchanged, unchanged, unchanged, unchanged],
    RecyclingRuleSummarized: [unchanged, unchanged, unchanged, unchanged, unchanged],
  },
  personal: { key: 'workspace', erased: erasedRecycling },
  closedBy: 'RecyclingRuleSummarized',
  close: (state) => (state.status === 'absent' ? undefined : { type: 'RecyclingRuleSummarized', data: state }),
  initial: { status: 'absent' },
  evolve: (state, event, { at }) => {
    if (event.type === 'RecyclingRuleSummarized') return event.data
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
    createdAt: at,
    dueWork: dueWorkAfter(undefined, { type: 'RecyclingRuleAdded', data }, at),
  }
}

function evolveRule(
  rule: RecyclingRule,
  event: Exclude<RecyclingEvent, { type: 'RecyclingRuleAdded' | 'RecyclingRuleSummarized' }>,
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
