import type * as z from 'zod'
import type { MediaType, PlatformKey } from '../core/platform.ts'
import type { RequestedBy } from '../core/requested-by.ts'
import type { Capability } from './capability.ts'

/** What is known of a platform before an account is connected. */
export interface Connectable {
  readonly key: PlatformKey
  /** The fields that the platform requires, each with a description. */
  readonly credentials: z.ZodObject
  /** What an account can be used for. */
  readonly capabilities: readonly Capability[]
  /**
   * Whether the owner can consent in a browser. `unconfigured` names the setting that is missing; `asksFor` lists the fields
   * that consent does not provide; `logins` are those that an app is set up for, the default first, if the platform has several.
   */
  readonly consent:
    | { readonly kind: 'none' }
    | { readonly kind: 'unconfigured'; readonly missing: string }
    | { readonly kind: 'ready'; readonly asksFor: readonly string[]; readonly logins: readonly NamedLogin[] }
  /** Where accounts are on many servers: the default one. */
  readonly server?: string | undefined
  readonly media: readonly MediaType[]
  /** What an account sets for posts that do not set it; absent if there is nothing to set. */
  readonly postDefaults?: z.ZodObject | undefined
  /** Whether its API can edit published posts. */
  readonly canEdit: boolean
  /** In what the platform counts, mostly characters. */
  readonly captionLimit: number
}

/** One of several ways to log in on a platform; `name` is for people. */
export interface NamedLogin {
  readonly key: string
  readonly name: string
}

/** The access that an account's owner has granted. */
export interface AccountAccess {
  /** When it ends unless its owner connects the account again, ISO 8601 UTC. Absent where Fanfare renews it, or knows no end. */
  readonly endsAt?: string | undefined
  /** What it covers, and which permissions the others lack; none where the owner did not allow one. Absent if that is unknown. */
  readonly granted?: readonly Capability[] | undefined
  readonly lacking: Readonly<Partial<Record<Capability, readonly string[]>>>
  /** Whether the owner can consent again in a browser. */
  readonly canConsent: boolean
}

/** An account that is connected. */
export interface KnownAddress {
  readonly id: string
  readonly workspaceId: string
  readonly platform: PlatformKey
  readonly baseUrl: string | null
}

export interface AccountRequest {
  readonly workspaceId: string
  readonly platform: PlatformKey
  /** The account to connect again: the credentials must be for no other. */
  readonly accountId?: string | undefined
  readonly label?: string | undefined
  readonly baseUrl?: string | undefined
  /** Every field that the platform requires, or those needed before consent. */
  readonly credentials: Readonly<Record<string, string>>
}

export interface ConsentRequest extends AccountRequest {
  /** Its key. Absent: the default. */
  readonly login?: string | undefined
  /** What the owner is asked to allow. Absent: all that the login has. */
  readonly capabilities?: readonly Capability[] | undefined
}

/** Connects accounts on request. */
export interface AccountConnection {
  readonly platforms: readonly Connectable[]
  /** @throws Refusal with the platform's own message when it rejects the credentials */
  connect(
    request: AccountRequest,
    by: RequestedBy,
  ): Promise<{ readonly id: string; readonly label: string; readonly position?: bigint }>
  /**
   * @returns the URL where the account's owner starts
   * @throws Refusal when the platform has no such consent or login, or no app is set up for it
   */
  askConsent(request: ConsentRequest, by: RequestedBy): Promise<string>
  accessTo(account: KnownAddress): Promise<AccountAccess>
  /**
   * As `askConsent`, of the owner of a connected account, which keeps what it is called and where it is.
   *
   * @throws Refusal as `askConsent`
   */
  askAgain(account: KnownAddress, by: RequestedBy): Promise<string>
  /** Disconnects an account and forgets its credentials. @throws Refusal not_found */
  disconnect(accountId: string, by: RequestedBy): Promise<{ readonly position?: bigint }>
}
