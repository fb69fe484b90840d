import * as z from 'zod'
import type { EventOf, StreamKind } from '../core/event.ts'
import { derivedUlid } from '../core/ids.ts'
import { ERASED, personalDataErased, type ErasedFields } from '../core/personal-data.ts'
import { text } from '../core/text.ts'
import { USER_ROLES } from './role.ts'

const events = {
  /** `invitationId`: of a user who joined by a link. */
  MemberJoined: z.object({
    workspaceId: z.string(),
    userId: z.string(),
    name: text(100),
    role: z.enum(USER_ROLES),
    invitationId: z.string().optional(),
  }),
  MemberRoleChanged: z.object({ workspaceId: z.string(), role: z.enum(USER_ROLES) }),
  MemberRemoved: z.object({}),
  PersonalDataErased: personalDataErased,
}

export type MemberEvent = EventOf<typeof events>
export type Joined = Extract<MemberEvent, { type: 'MemberJoined' }>['data']

export type MemberState =
  | { readonly status: 'absent' }
  | (Omit<Joined, 'invitationId'> & {
      readonly status: 'active' | 'removed'
      /** All that the user has ever joined by: each has been used. */
      readonly invitationIds: readonly string[]
    })

/**
 * A user in a workspace beside the one that their account began in, or in that one again. It belongs to the workspace, the account to
 * the one where it began (`user.ts`).
 */
export const member: StreamKind<MemberState, MemberEvent> = {
  category: 'member',
  events,
  personal: {
    erased: { MemberJoined: { name: ERASED } } satisfies ErasedFields<typeof events>,
    begins: 'MemberJoined',
    subjectOf: (begin) => ({ workspaceId: (begin as { readonly workspaceId: string }).workspaceId }),
  },
  initial: { status: 'absent' },
  evolve: (state, event) => {
    if (event.type === 'MemberJoined') {
      const { invitationId, ...joined } = event.data
      const before = state.status === 'absent' ? [] : state.invitationIds
      return {
        status: 'active',
        ...joined,
        invitationIds: invitationId === undefined ? before : [...before, invitationId],
      }
    }
    if (state.status === 'absent') return state
    switch (event.type) {
      case 'MemberRoleChanged':
        return { ...state, role: event.data.role }
      case 'MemberRemoved':
        return { ...state, status: 'removed' }
      case 'PersonalDataErased':
        return { ...state, name: ERASED }
    }
  },
}

export function memberIdOf(userId: string, workspaceId: string): string {
  return `member_${derivedUlid('member', userId, workspaceId)}`
}
