import type { PlatformKey } from '../core/platform.ts'

/** What the owner of an account is asked before the browser goes to the platform. */
export interface Opening {
  readonly workspace: string
  readonly platform: PlatformKey
  /** The platform's own page of consent. */
  readonly consentUrl: string
  /** Kept by the browser, which has to show it when it comes back: only who began ends what was begun. */
  readonly browser: { readonly name: string; readonly token: string }
}

/** What a platform sends the browser back with (RFC 6749 §4.1.2). */
export interface ConsentAnswer {
  readonly state: string
  readonly code?: string | undefined
  readonly error?: string | undefined
  readonly error_description?: string | undefined
}

interface Begun {
  /** Whether it was begun in the dashboard, to which the browser goes back. */
  readonly inDashboard: boolean
}

export type Settled =
  | ({
      readonly outcome: 'connected'
      readonly accountId: string
      readonly label: string
      readonly workspace: string
      /** Where the log tells of it; absent when nothing was new. */
      readonly position: bigint | undefined
    } & Begun)
  | ({ readonly outcome: 'failed'; readonly why: string } & Begun)
  /** The login reaches several accounts: which one is meant has to be said, with this ticket. */
  | { readonly outcome: 'choose'; readonly ticket: string; readonly labels: readonly string[] }

/**
 * The browser's side of connecting an account. A browser is known by the token that `begin` gave it; `tokenOf` looks it up
 * by name.
 */
export interface AccountAuthorization {
  /** @throws Refusal when the ticket is not ours, has been used or has expired */
  open(platform: PlatformKey, ticket: string): Promise<Opening>
  /** @throws Refusal as `open`, and when another browser began it */
  answered(platform: PlatformKey, answer: ConsentAnswer, tokenOf: TokenOf): Promise<Settled>
  /** @throws Refusal as `answered`, and when there is no such choice */
  chosen(platform: PlatformKey, ticket: string, choice: number, tokenOf: TokenOf): Promise<Settled>
}

export type TokenOf = (name: string) => string | undefined
