import * as z from 'zod'
import type { EventOf, StreamKind } from '../core/event.ts'
import { ERASED, WORKSPACE_CATEGORY, type ErasedFields } from '../core/personal-data.ts'
import { approvalPolicy, type ApprovalPolicy } from './approval-policy.ts'
import { slotPlan, type SlotPlan } from '../core/slot-plan.ts'
import { text } from '../core/text.ts'
import { undoSeconds } from './undo.ts'
import { voice } from './voice.ts'

const NAME_LENGTH = 100

/** A name as people may give one. */
export const workspaceName = text(NAME_LENGTH).trim().min(1, { error: 'must not be empty' })

const events = {
  WorkspaceCreated: z.object({ name: text(NAME_LENGTH) }),
  WorkspaceRenamed: z.object({ name: text(NAME_LENGTH) }),
  SlotsSet: slotPlan,
  ApprovalPolicySet: approvalPolicy,
  UndoSet: z.object({ seconds: undoSeconds }),
  VoiceSet: z.object({ text: voice }),
  /** It is to be erased: everything in it ends. */
  WorkspaceClosed: z.object({}),
  /** Its key is erased, and with it all that its events say about people. Removes its rows from all read models. */
  WorkspaceErased: z.object({}),
}

export type WorkspaceEvent = EventOf<typeof events>

export type WorkspaceState =
  | { readonly status: 'absent' | 'erased' }
  | {
      readonly status: 'active'
      readonly name: string
      readonly slots?: SlotPlan
      readonly approvalPolicy?: ApprovalPolicy
      readonly undoSeconds?: number
      readonly voice?: string
    }
  | { readonly status: 'closed'; readonly name: string; readonly closedAt: string }

/** Its own key also encrypts the personal data of posts, feeds and other streams that belong to it. */
export const workspace: StreamKind<WorkspaceState, WorkspaceEvent> = {
  category: WORKSPACE_CATEGORY,
  events,
  personal: {
    erased: {
      WorkspaceCreated: { name: ERASED },
      WorkspaceRenamed: { name: ERASED },
      VoiceSet: { text: ERASED },
    } satisfies ErasedFields<typeof events>,
    begins: 'WorkspaceCreated',
    subjectOf: (_begin, workspaceId) => ({ workspaceId }),
  },
  initial: { status: 'absent' },
  evolve: (state, event, { at }) => {
    switch (event.type) {
      case 'WorkspaceCreated':
        return { status: 'active', name: event.data.name }
      case 'WorkspaceRenamed':
        return state.status === 'active' ? { ...state, name: event.data.name } : state
      case 'SlotsSet':
        return state.status === 'active' ? { ...state, slots: event.data } : state
      case 'ApprovalPolicySet':
        return state.status === 'active' ? { ...state, approvalPolicy: event.data } : state
      case 'UndoSet':
        return state.status === 'active' ? { ...state, undoSeconds: event.data.seconds } : state
      case 'VoiceSet':
        return state.status === 'active' ? { ...state, voice: event.data.text } : state
      case 'WorkspaceClosed':
        return state.status === 'active' ? { ...state, status: 'closed', closedAt: at } : state
      case 'WorkspaceErased':
        return { status: 'erased' }
    }
  },
}
