import { errorOf } from './api-error.ts'
import { send } from './transport.ts'

/*
 * What keys and accounts need, and the public API does not have: asked for below `/dashboard/api`, with the session only.
 */

export interface Session {
  readonly user: { readonly id: string; readonly name: string }
  readonly workspace: { readonly id: string; readonly name: string }
  readonly csrfToken: string
  readonly expiresAt: string
}

export interface Key {
  readonly id: string
  readonly label?: string | null
  readonly scopes: readonly string[]
  readonly createdAt: string
  readonly revokedAt?: string | null
}

export interface CredentialField {
  readonly name: string
  readonly description: string
  readonly secret: boolean
  readonly required: boolean
  /** Has to be given before a consent in the browser, which does not tell it. */
  readonly beforehand: boolean
  readonly values?: readonly string[]
}

export interface Platform {
  readonly key: string
  readonly name: string
  readonly credentialFields: readonly CredentialField[]
  readonly browser: boolean
  /** What has to be set up before its owner can consent in a browser. */
  readonly browserHint: string | null
  readonly conversation: boolean
  readonly media: readonly ('image' | 'video')[]
  readonly captionLimit?: number | null
}

export type AutomationMode = 'off' | 'review' | 'auto'

export interface AutomationSetting {
  readonly mode: AutomationMode
  /** How the AI is to answer; empty: nothing was said. */
  readonly instruction: string
}

export interface Owed {
  readonly kind: string
  readonly id: string
  readonly dueAt: string
  readonly platform?: string | null
}

/** What does not work until somebody sees to it, or it mends itself. */
export interface Failing {
  readonly kind: 'account' | 'feed' | 'recycling_rule' | 'webhook'
  readonly id: string
  readonly label: string
  readonly error: string
}

export interface RestoredWork {
  readonly kind: string
  readonly id: string
  readonly platform?: string
  /** How the post or reply begins. */
  readonly text: string
  readonly outcome: 'found' | 'absent' | 'unknown' | 'unreachable' | 'new' | 'skipped'
  readonly reason: string
}

export interface OwedSummary {
  readonly overdue: number
  /** Since when the service sends nothing: a log was restored, or an import runs. */
  readonly heldSince?: string
  /** What was looked for after the log was restored, and waits for the release. */
  readonly restored: readonly RestoredWork[]
  readonly next: readonly Owed[]
  readonly failing: readonly Failing[]
}

export interface ConnectBody {
  readonly platform: string
  readonly credentials: Readonly<Record<string, string>>
  readonly label?: string
  readonly baseUrl?: string
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** @throws ApiError */
async function ask<T>(method: Method, path: string, body?: unknown): Promise<T> {
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
  signIn: (name: string, password: string) => ask<Session>('POST', '/session', { name, password }),
  signOut: () => ask<undefined>('DELETE', '/session'),
  changePassword: (current: string, next: string) => ask<undefined>('POST', '/password', { current, next }),

  keys: (cursor: string | undefined) =>
    ask<{ readonly keys: readonly Key[]; readonly nextCursor: string | null }>(
      'GET',
      cursor ? `/keys?cursor=${encodeURIComponent(cursor)}` : '/keys',
    ),
  createKey: (label: string, scopes: readonly string[]) =>
    ask<{ readonly id: string; readonly key: string }>('POST', '/keys', { ...(label && { label }), scopes }),
  revokeKey: (id: string) => ask<undefined>('DELETE', `/keys/${idOf(id)}`),

  platforms: () => ask<{ readonly platforms: readonly Platform[] }>('GET', '/platforms'),
  connect: (account: ConnectBody) => ask<{ readonly id: string; readonly label: string }>('POST', '/accounts', account),
  authorize: (account: ConnectBody) => ask<{ readonly url: string }>('POST', '/accounts/authorizations', account),
  disconnect: (id: string) => ask<undefined>('DELETE', `/accounts/${idOf(id)}`),
  automation: (id: string) => ask<AutomationSetting>('GET', `/accounts/${idOf(id)}/automation`),
  automate: (id: string, setting: AutomationSetting) =>
    ask<AutomationSetting>('PUT', `/accounts/${idOf(id)}/automation`, setting),

  owed: () => ask<OwedSummary>('GET', '/owed'),
}
