/** A place in an account that posts can go to, such as a board. */
export interface Destination {
  readonly label: string
  /** What a post sets to go there. */
  readonly options: Readonly<Record<string, unknown>>
  /** Whether posts go there that set nothing. */
  readonly isDefault: boolean
}

/**
 * Reads where posts of an account can go, from its platform.
 *
 * @returns none where the platform has only one place, or the account is no longer connected
 * @throws Refusal failed_precondition with the platform's message when it refuses, rate_limit_exceeded while the workspace has used
 *   up its share
 */
export type DestinationsOf = (accountId: string) => Promise<readonly Destination[]>
