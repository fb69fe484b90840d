import type { PlatformKey } from '../core/platform.ts'
import type { Capability } from './capability.ts'

/** One capability that the account's owner can allow. */
export interface ConsentOption {
  readonly capability: Capability
  /** What the platform is asked for, as it names that. Empty if publishing needs no less. */
  readonly permissions: readonly string[]
  /** What the platform charges for it: `posts: $0.015 each`. */
  readonly costs: readonly string[]
}

/** What the account's owner sees before the browser goes to the platform. */
export interface Opening {
  readonly workspace: string
  readonly platform: PlatformKey
  /** Publishing is the first, and is always asked for. */
  readonly options: readonly ConsentOption[]
  /** Stored in the browser and required when it returns: only the browser that started a connection can finish it. */
  readonly browser: { readonly name: string; readonly token: string }
}

/** The query that a platform redirects the browser back with (RFC 6749 §4.1.2). */
export interface ConsentAnswer {
  readonly state: string
  readonly code?: string | undefined
  readonly error?: string | undefined
  readonly error_description?: string | undefined
}

interface Begun {
  /** Whether the connection was started in the dashboard, where the browser then returns. */
  readonly inDashboard: boolean
}

export type Settled =
  | ({
      readonly outcome: 'connected'
      /** At least one. */
      readonly accounts: readonly { readonly id: string; readonly label: string }[]
      /** Why others are not, as sentences. */
      readonly failures: readonly string[]
      readonly workspace: string
      /** The last event's log position; absent when nothing changed. */
      readonly position: bigint | undefined
    } & Begun)
  | ({ readonly outcome: 'failed'; readonly why: string } & Begun)
  /** The login covers several accounts: the user must choose one, or any number of them (`several`), with this ticket. */
  | {
      readonly outcome: 'choose'
      readonly ticket: string
      readonly labels: readonly string[]
      /** Why others cannot be chosen, as sentences. */
      readonly problems: readonly string[]
      readonly several: boolean
    }

/** The browser's side of connecting an account. `open` gives the browser a named token; `tokenOf` looks it up by name. */
export interface AccountAuthorization {
  /** @throws Refusal when the ticket is invalid, used or expired */
  open(platform: PlatformKey, ticket: string): Promise<Opening>
  /**
   * The owner has chosen what to allow.
   *
   * @returns the URL of the platform's consent page
   * @throws Refusal as `open`, and when another browser started the connection
   */
  allowed(platform: PlatformKey, ticket: string, capabilities: readonly Capability[], tokenOf: TokenOf): Promise<string>
  /** @throws Refusal as `allowed` */
  answered(platform: PlatformKey, answer: ConsentAnswer, tokenOf: TokenOf): Promise<Settled>
  /** @throws Refusal as `answered`, and when there is no such choice, or more than one where only one can be connected */
  chosen(platform: PlatformKey, ticket: string, choices: readonly number[], tokenOf: TokenOf): Promise<Settled>
}

export type TokenOf = (name: string) => string | undefined
