import * as z from 'zod'
import { unchanged, type Actor, type EventOf, type StreamKind } from '../core/event.ts'
import { derivedUlid } from '../core/ids.ts'
import { ERASED, personalDataErased, type ErasedFields } from '../core/personal-data.ts'
import { text } from '../core/text.ts'
import { USER_ROLES, type UserRole } from './role.ts'

const events = {
  /** `passwordId` names the row with the password's hash (`infra/postgres/passwords.ts`): no event contains any part of it. */
  UserCreated: z.object({
    workspaceId: z.string(),
    name: text(100),
    passwordId: z.string(),
    role: z.enum(USER_ROLES),
    /** Of a user who joined by a link. */
    invitationId: z.string().optional(),
  }),
  UserRoleChanged: z.object({ workspaceId: z.string(), role: z.enum(USER_ROLES) }),
  UserPasswordChanged: z.object({
    passwordId: z.string(),
    /** Of the link that it was chosen with. */
    linkId: z.string().optional(),
  }),
  /** With this link, the user chooses a new password. `secretHash` is the SHA-256 (hex) of the 256-bit secret in it. */
  UserResetLinkCreated: z.object({ linkId: z.string(), secretHash: z.string(), expiresAt: z.iso.datetime() }),
  UserResetLinkRevoked: z.object({ linkId: z.string() }),
  /** From now on, signing in takes a code from an app as well. `totpId` names its secret (`infra/postgres/totps.ts`). */
  UserTotpEnabled: z.object({ totpId: z.string() }),
  UserTotpDisabled: z.object({ totpId: z.string() }),
  /** In place of a code from the app. `left`: how many recovery codes can still be used. */
  UserRecoveryCodeUsed: z.object({ totpId: z.string(), left: z.int() }),
  /**
   * With this identity at an OpenID Connect provider, the user signs in. `subjectHash` is the SHA-256 (hex) of the issuer and the
   * subject, which may be an e-mail address or a staff number. `joined`: the user joined with it, because of a group.
   */
  UserIdentityLinked: z.object({ issuer: z.string(), subjectHash: z.string(), joined: z.boolean() }),
  UserIdentityUnlinked: z.object({}),
  /** The user is no longer in the workspace where the account began, but in others (`member.ts`): the account stays. */
  UserLeftWorkspace: z.object({ workspaceId: z.string() }),
  /** The account has ended: the user is in no workspace any longer. */
  UserRemoved: z.object({}),
  PersonalDataErased: personalDataErased,
}

export type UserEvent = EventOf<typeof events>

export type UserIdentity = Extract<UserEvent, { type: 'UserIdentityLinked' }>['data']

/** The last link that was made for a user: another one replaces it. */
export interface ResetLink {
  readonly linkId: string
  readonly secretHash: string
  readonly expiresAt: string
  readonly madeBy: Actor
  /** `outdated`: the password was changed without it. */
  readonly status: 'open' | 'used' | 'revoked' | 'outdated'
}

export type UserState =
  | { readonly status: 'absent' }
  | {
      readonly status: 'active' | 'removed'
      readonly workspaceId: string
      readonly name: string
      readonly passwordId: string
      readonly role: UserRole
      /** Of the workspace: the account goes on in others. */
      readonly hasLeft?: true
      readonly invitationId?: string | undefined
      readonly resetLink?: ResetLink
      readonly totpId?: string | undefined
      readonly identity?: UserIdentity | undefined
    }

export type ActiveUser = Exclude<UserState, { status: 'absent' }>

/** The account of a person who signs in to the dashboard, and their place in the workspace where it began. */
export const user: StreamKind<UserState, UserEvent> = {
  category: 'user',
  events,
  // Before there were roles, every user could do everything.
  upcasters: { UserCreated: [(data) => ({ ...data, role: 'owner' })], UserPasswordChanged: [unchanged] },
  personal: {
    erased: {
      UserCreated: { name: ERASED },
      UserIdentityLinked: { subjectHash: ERASED },
    } satisfies ErasedFields<typeof events>,
    begins: 'UserCreated',
    subjectOf: (begin) => ({ workspaceId: (begin as { readonly workspaceId: string }).workspaceId }),
  },
  initial: { status: 'absent' },
  evolve: (state, event, { actor }) => {
    if (event.type === 'UserCreated') {
      // Kept when the command line creates a removed user again: their link has been used all the same.
      const invitationId = state.status === 'absent' ? undefined : state.invitationId
      return { status: 'active', invitationId, ...event.data }
    }
    if (state.status === 'absent') return state
    switch (event.type) {
      case 'UserLeftWorkspace':
        return { ...state, hasLeft: true }
      case 'UserRemoved':
        return { ...state, status: 'removed' }
      case 'UserPasswordChanged': {
        const { passwordId, linkId } = event.data
        return { ...withoutOpenLink(state, linkId === undefined ? 'outdated' : 'used'), passwordId }
      }
      case 'UserResetLinkCreated':
        return { ...state, resetLink: { ...event.data, madeBy: actor, status: 'open' } }
      case 'UserResetLinkRevoked':
        return withoutOpenLink(state, 'revoked')
      case 'UserTotpEnabled':
        return { ...state, totpId: event.data.totpId }
      case 'UserTotpDisabled':
        return { ...state, totpId: undefined }
      case 'UserRecoveryCodeUsed':
        return state
      case 'UserIdentityLinked':
        return { ...state, identity: event.data }
      case 'UserIdentityUnlinked':
        return { ...state, identity: undefined }
      case 'UserRoleChanged':
        return { ...state, role: event.data.role }
      case 'PersonalDataErased':
        return { ...state, name: ERASED, identity: undefined }
    }
  },
}

function withoutOpenLink<State extends { readonly resetLink?: ResetLink }>(
  state: State,
  status: ResetLink['status'],
): State {
  return state.resetLink?.status === 'open' ? { ...state, resetLink: { ...state.resetLink, status } } : state
}

const LONGEST_NAME = 100
const NAME = /^[a-z0-9][a-z0-9._@+-]{0,99}$/i

/** Letters, digits and `. _ @ + -`, so that an email address is valid too. */
export const userName = z.string().regex(NAME, {
  error: 'must be 1 to 100 letters, digits or . _ @ + -, and begin with a letter or a digit',
})

/** The most of a name from elsewhere that can be a name here; empty if nothing can. */
export function asUserName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9._@+-]+/gi, '-')
    .replace(/^[^a-z0-9]+/i, '')
    .slice(0, LONGEST_NAME)
}

/** Ignores case, so that the log's concurrency check makes each name unique in the whole service. */
export function userIdOf(name: string): string {
  return `user_${derivedUlid('user', name.toLowerCase())}`
}

const LEAST = 10
const MOST = 200

/** A new password. Only its length is checked, as NIST SP 800-63B §3.1.1.2 advises. */
export const newPassword = text(MOST).min(LEAST, { error: `must be ${LEAST} to ${MOST} characters` })

/** Whether the account's own stream, and not that of a member, says what its user may do in a workspace. */
export function beganIn(state: UserState, workspaceId: string): state is ActiveUser {
  return state.status === 'active' && state.hasLeft === undefined && state.workspaceId === workspaceId
}
