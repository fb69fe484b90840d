import type { PlatformKey } from '../core/platform.ts'

/** What the account's owner sees before the browser goes to the platform. */
export interface Opening {
  readonly workspace: string
  readonly platform: PlatformKey
  /** The platform's consent page. */
  readonly consentUrl: string
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
      readonly accountId: string
      readonly label: string
      readonly workspace: string
      /** The event's log position; absent when nothing changed. */
      readonly position: bigint | undefined
    } & Begun)
  | ({ readonly outcome: 'failed'; readonly why: string } & Begun)
  /** The login covers several accounts: the user must choose one, with this ticket. */
  | { readonly outcome: 'choose'; readonly ticket: string; readonly labels: readonly string[] }

/** The browser's side of connecting an account. `open` gives the browser a named token; `tokenOf` looks it up by name. */
export interface AccountAuthorization {
  /** @throws Refusal when the ticket is invalid, used or expired */
  open(platform: PlatformKey, ticket: string): Promise<Opening>
  /** @throws Refusal as `open`, and when another browser started the connection */
  answered(platform: PlatformKey, answer: ConsentAnswer, tokenOf: TokenOf): Promise<Settled>
  /** @throws Refusal as `answered`, and when there is no such choice */
  chosen(platform: PlatformKey, ticket: string, choice: number, tokenOf: TokenOf): Promise<Settled>
}

export type TokenOf = (name: string) => string | undefined
