import { errorOf } from './api-error.ts'
import { send } from './transport.ts'
import type { Account, ApprovalPolicy, Destination, MediaType } from './types.ts'

/* What keys, accounts and users need and the public API does not offer: served under `/dashboard/api`, with the session only. */

export type Role = 'owner' | 'manager' | 'author' | 'reviewer' | 'reader'

export interface Session {
  readonly user: { readonly id: string; readonly name: string; readonly role: Role }
  readonly workspace: { readonly id: string; readonly name: string }
  /** All that the user is in. */
  readonly workspaces: readonly { readonly id: string; readonly name: string; readonly role: Role }[]
  /** What the role allows: scopes, and what only users may do. */
  readonly permissions: readonly string[]
  readonly csrfToken: string
  readonly expiresAt: string
}

/** The password is right, and a code is asked for. */
export interface CodeRequired {
  readonly status: 'totp_required'
}

export interface Credentials {
  readonly name: string
  readonly password: string
}

export function needsCode(answer: Session | CodeRequired): answer is CodeRequired {
  return 'status' in answer
}

/** Where one signs in with OpenID Connect, and what it is called. */
export interface SingleSignOn {
  readonly name: string
  readonly url: string
}

/** How long (s) posts can be taken back before they are published. */
export interface Undo {
  readonly seconds: number
}

/** What a key is held to. */
export interface KeyLimits {
  /** Null: as in the workspace. */
  readonly undoSeconds: number | null
  readonly budgets: Budgets
}

/** What a key may use up on a day. */
export type Budgets = Readonly<Partial<Record<'posts' | 'replies' | 'credits' | 'usd', number>>>

interface NewKey {
  readonly label?: string
  readonly scopes: readonly string[]
  readonly undoSeconds?: number
  readonly budgets: Budgets
}

export interface Key extends KeyLimits {
  readonly usedToday: Budgets
  readonly id: string
  readonly label?: string | null
  readonly scopes: readonly string[]
  readonly createdAt: string
  readonly revokedAt?: string | null
  /** Of an app that somebody has let in. */
  readonly app: { readonly host: string; readonly allowedBy: string } | null
}

/** What a link is for. */
export interface OpenInvitation {
  readonly workspace: { readonly name: string }
  readonly role: Role
}

export interface CredentialField {
  readonly name: string
  readonly description: string
  readonly secret: boolean
  readonly required: boolean
  /** Must be entered before a consent in the browser, because the consent does not provide it. */
  readonly beforehand: boolean
  readonly values?: readonly string[]
}

export interface Platform {
  readonly key: string
  readonly name: string
  readonly credentialFields: readonly CredentialField[]
  readonly browser: boolean
  /** Where there are several ways to log in: those that an app is set up for, the default first. */
  readonly logins: readonly { readonly key: string; readonly name: string }[]
  /** What must be set up before an owner can consent in a browser. */
  readonly browserHint: string | null
  /** Where accounts are on many servers: the default one. */
  readonly server: string | null
  readonly capabilities: readonly string[]
  readonly conversation: boolean
  readonly media: readonly MediaType[]
  readonly canEdit: boolean
  readonly captionLimit?: number | null
  /** Whether posts of an account can go to several places, such as boards. */
  readonly hasDestinations: boolean
  /** Whether it reports how posts perform, and whether it reports on other accounts. */
  readonly hasNumbers: boolean
  readonly hasCompetitors: boolean
  /** What a post can set there alone, by name. */
  readonly options: Readonly<Record<string, OptionSchema>>
}

/** The part of JSON Schema that options have. */
export interface OptionSchema {
  readonly type?: 'string' | 'boolean' | 'number' | 'integer' | 'array' | 'object'
  readonly description?: string
  readonly enum?: readonly string[]
  readonly format?: string
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly items?: OptionSchema
  readonly properties?: Readonly<Record<string, OptionSchema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly OptionSchema[]
}

export type AutomationMode = 'off' | 'review' | 'auto'

export interface AutomationSetting {
  readonly mode: AutomationMode
  /** Instructions for the AI's replies; empty: none given. */
  readonly instruction: string
}

export interface DueWork {
  readonly kind: string
  readonly id: string
  readonly dueAt: string
  readonly platform?: string | null
}

/** Something that fails until somebody fixes it or it recovers. */
export interface Failing {
  readonly kind: 'account' | 'feed' | 'recycling_rule' | 'webhook'
  readonly id: string
  readonly label: string
  readonly error: string
  /** Of an account. */
  readonly platform?: string
}

export interface RestoredWork {
  readonly kind: string
  readonly id: string
  readonly platform?: string
  /** The beginning of the post or reply. */
  readonly text: string
  readonly outcome: 'found' | 'absent' | 'unknown' | 'unreachable' | 'new' | 'skipped'
  readonly reason: string
}

export interface DueWorkSummary {
  readonly overdue: number
  /** Since when nothing is sent, because a log was restored or an import is running. */
  readonly heldSince?: string
  /** The next of the coming 7 days, or the present one. */
  readonly maintenance?: { readonly from: string; readonly until: string }
  /** Work that was reconciled after the log was restored, and waits for the release. */
  readonly restored: readonly RestoredWork[]
  readonly next: readonly DueWork[]
  readonly failing: readonly Failing[]
}

export type Capability = NonNullable<Account['limits']>[number]['capability']

/** What the owner of an account has granted, and what waits for it. */
export interface AccountAccess {
  readonly id: string
  readonly platform: string
  readonly label: string
  readonly needsReauth: boolean
  /** Absent where the access is renewed, or no end is known. */
  readonly endsAt?: string
  /** Absent where the platform does not say. */
  readonly granted?: readonly Capability[]
  readonly lacking: readonly { readonly capability: Capability; readonly permissions: readonly string[] }[]
  /** Whether its owner can consent again in a browser. */
  readonly canConsent: boolean
  readonly scheduledPosts: number
}

/** How the posts of a week perform. Null: no platform has reported it. */
export interface Week {
  readonly published: number
  readonly views: number | null
  readonly interactions: number | null
}

export interface ConnectBody {
  readonly platform: string
  readonly credentials: Readonly<Record<string, string>>
  /** The account to connect again. */
  readonly accountId?: string
  readonly label?: string
  readonly baseUrl?: string
}

export interface ConsentBody extends ConnectBody {
  readonly login?: string
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** @throws ApiError */
export async function ask<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const request = new Request(`/dashboard/api${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  })
  const response = await send(request)
  const answer: unknown = response.status === 204 ? undefined : await response.json().catch(() => undefined)
  if (!response.ok) throw errorOf(response, answer)
  return answer as T
}

const idOf = (id: string) => encodeURIComponent(id)

export const sessionApi = {
  session: () => ask<Session>('GET', '/session'),
  signIn: (credentials: Credentials & { readonly code?: string }) =>
    ask<Session | CodeRequired>('POST', '/session', credentials),
  singleSignOn: () => ask<{ readonly singleSignOn: SingleSignOn | null }>('GET', '/single-sign-on'),
  forgotPassword: (name: string) => ask<undefined>('POST', '/forgotten-password', { name }),
  signOut: () => ask<undefined>('DELETE', '/session'),
  /** The session shows it from now on, in all tabs. */
  showWorkspace: (workspaceId: string) => ask<Session>('PUT', '/session/workspace', { workspaceId }),
  joinAsUser: (token: string) => ask<Session>('POST', '/workspaces', { token }),
  changePassword: (current: string, next: string) => ask<undefined>('POST', '/password', { current, next }),

  keys: (cursor: string | undefined) =>
    ask<{ readonly keys: readonly Key[]; readonly nextCursor: string | null }>(
      'GET',
      cursor ? `/keys?cursor=${encodeURIComponent(cursor)}` : '/keys',
    ),
  createKey: (key: NewKey) => ask<{ readonly id: string; readonly key: string }>('POST', '/keys', key),
  changeKey: (id: string, limits: KeyLimits) => ask<Key>('PATCH', `/keys/${idOf(id)}`, limits),
  revokeKey: (id: string) => ask<undefined>('DELETE', `/keys/${idOf(id)}`),

  undo: () => ask<Undo>('GET', '/undo'),
  setVoice: (voice: { readonly text: string }) => ask<{ readonly text: string }>('PUT', '/voice', voice),
  setUndo: (undo: Undo) => ask<Undo>('PUT', '/undo', undo),
  setApprovalPolicy: (policy: ApprovalPolicy) => ask<ApprovalPolicy>('PUT', '/approval-policy', policy),
  invitation: (token: string) => ask<OpenInvitation>('POST', '/invitation', { token }),
  join: (token: string, credentials: Credentials) =>
    ask<Session | CodeRequired>('POST', '/join', { token, ...credentials }),

  platforms: () => ask<{ readonly platforms: readonly Platform[] }>('GET', '/platforms'),
  connect: (account: ConnectBody) => ask<{ readonly id: string; readonly label: string }>('POST', '/accounts', account),
  authorize: (account: ConsentBody) => ask<{ readonly url: string }>('POST', '/accounts/authorizations', account),
  authorizeAgain: (id: string) => ask<{ readonly url: string }>('POST', `/accounts/${idOf(id)}/authorizations`),
  disconnect: (id: string) => ask<undefined>('DELETE', `/accounts/${idOf(id)}`),
  automation: (id: string) => ask<AutomationSetting>('GET', `/accounts/${idOf(id)}/automation`),
  readInBackground: (id: string, isOn: boolean) =>
    ask<Account['backgroundReading']>('PUT', `/accounts/${idOf(id)}/background-reading`, { isOn }),
  setPostDefaults: (id: string, options: Destination['options']) =>
    ask<Destination['options']>('PUT', `/accounts/${idOf(id)}/post-defaults`, options),
  automate: (id: string, setting: AutomationSetting) =>
    ask<AutomationSetting>('PUT', `/accounts/${idOf(id)}/automation`, setting),

  dueWork: () => ask<DueWorkSummary>('GET', '/due-work'),
  accountAccess: () => ask<{ readonly accounts: readonly AccountAccess[] }>('GET', '/accounts'),
  addCompetitor: (platform: string, handle: string) =>
    ask<{ readonly id: string; readonly handle: string }>('POST', '/competitors', { platform, handle }),
  removeCompetitor: (id: string) => ask<undefined>('DELETE', `/competitors/${idOf(id)}`),
  recentWeeks: () =>
    ask<{ readonly last: Week; readonly before: Week; readonly hasDemo: boolean }>('GET', '/recent-weeks'),
}

/** Where a small copy of an image is: as it is, or as it is sent to a platform with these options. */
export function smallImage(url: string, platform?: string, options: object = {}): string {
  const as = platform && { platform, options: JSON.stringify(options) }
  return `/dashboard/api/image?${new URLSearchParams({ url, ...as })}`
}
