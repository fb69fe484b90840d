import * as z from 'zod'
import type { Actor, EventOf, Metadata, StreamKind } from '../core/event.ts'
import { ERASED, type ErasedFields } from '../core/personal-data.ts'
import { text } from '../core/text.ts'
import { USER_ROLES } from './role.ts'

const events = {
  /** `secretHash` is the SHA-256 (hex) of the 256-bit secret in the link. `label` says whom it is for. */
  InvitationCreated: z.object({
    workspaceId: z.string(),
    role: z.enum(USER_ROLES),
    label: text(100),
    secretHash: z.string(),
    expiresAt: z.iso.datetime(),
  }),
  /** The link belongs to this user from now on, who is created next. */
  InvitationAccepted: z.object({ userId: z.string() }),
  InvitationRevoked: z.object({}),
}

export type InvitationEvent = EventOf<typeof events>
export type Invited = Extract<InvitationEvent, { type: 'InvitationCreated' }>['data']
type Created = Invited & { readonly invitedBy: Actor }

export type InvitationState =
  | { readonly status: 'absent' }
  | (Created & { readonly status: 'open' | 'revoked' })
  | (Created & { readonly status: 'accepted'; readonly userId: string; readonly acceptedAt: string })

/** A link with which one person joins a workspace. */
export const invitation: StreamKind<InvitationState, InvitationEvent> = {
  category: 'invitation',
  events,
  personal: {
    key: 'workspace',
    erased: { InvitationCreated: { label: ERASED } } satisfies ErasedFields<typeof events>,
  },
  initial: { status: 'absent' },
  evolve: (state, event, { at, actor }: Metadata) => {
    if (event.type === 'InvitationCreated') return { status: 'open', ...event.data, invitedBy: actor }
    if (state.status === 'absent') return state
    switch (event.type) {
      case 'InvitationAccepted':
        return { ...state, status: 'accepted', ...event.data, acceptedAt: at }
      case 'InvitationRevoked':
        return { ...state, status: 'revoked' }
    }
  },
}
