import type { PlatformKey } from '../core/platform.ts'
import type { RequestedBy } from '../core/requested-by.ts'

export interface NewCompetitor {
  readonly workspaceId: string
  readonly platform: PlatformKey
  /** A handle, with or without @, or the URL of its page. */
  readonly handle: string
}

export interface FoundCompetitor {
  readonly id: string
  readonly platform: PlatformKey
  readonly handle: string
  readonly label: string
}

/** Starts tracking competitors on request. */
export interface CompetitorTracking {
  /** Those that report on other accounts. */
  readonly platforms: readonly PlatformKey[]
  /**
   * Resolves once the read models show it.
   *
   * @throws Refusal not_found when there is no such account, failed_precondition when no account may look or there are too many
   */
  track(given: NewCompetitor, by: RequestedBy): Promise<FoundCompetitor>
}
