import type { z } from 'zod'
import type { Actor } from '../core/event.ts'
import type { MediaType, PlatformKey } from '../core/platform.ts'

/** What there is to know of a platform before an account of it is connected. */
export interface Connectable {
  readonly key: PlatformKey
  /** The fields that it asks for, each with a description. */
  readonly credentials: z.ZodObject
  /**
   * Whether its owner can consent in a browser: `unconfigured` names what an operator has to set first. `asksFor`: the
   * fields that no consent tells.
   */
  readonly consent:
    | { readonly kind: 'none' }
    | { readonly kind: 'unconfigured'; readonly missing: string }
    | { readonly kind: 'ready'; readonly asksFor: readonly string[] }
  readonly media: readonly MediaType[]
  /** In characters; a guide, as platforms count in ways of their own. */
  readonly captionLimit: number
}

export interface AccountRequest {
  readonly workspaceId: string
  readonly platform: PlatformKey
  readonly label?: string | undefined
  readonly baseUrl?: string | undefined
  /** All fields that the platform asks for, or those that are given before a consent. */
  readonly credentials: Readonly<Record<string, string>>
}

/** Connecting accounts, for who asks from outside. `work` names the request, the same for a repeat. */
export interface AccountConnection {
  readonly platforms: readonly Connectable[]
  /** @throws Refusal with the platform's own words when it does not take the credentials */
  connect(
    request: AccountRequest,
    by: RequestedBy,
  ): Promise<{ readonly id: string; readonly label: string; readonly position?: bigint }>
  /**
   * @returns the page where the account's owner begins
   * @throws Refusal when the platform has no such consent, or no app is set up for it
   */
  askConsent(request: AccountRequest, by: RequestedBy): Promise<string>
  /** Disconnects an account and forgets its credentials. @throws Refusal not_found */
  disconnect(accountId: string, by: RequestedBy): Promise<{ readonly position?: bigint }>
}

export interface RequestedBy {
  readonly commandId: string
  readonly actor: Actor
  readonly correlationId: string
  readonly requestId?: string
}
