import type { PlatformKey } from '../core/platform.ts'

/** What one kind of use of a platform cost. */
export interface KindCost {
  /** As the platform's prices name it, such as `post_read`. */
  readonly kind: string
  /** For people, plural. */
  readonly label: string
  readonly count: number
  /** US dollars, for all of them. */
  readonly usd: number
}

export interface PlatformCost {
  readonly platform: PlatformKey
  /** US dollars. */
  readonly usd: number
  /** When the prices were last compared with the platform's own: an ISO 8601 date. */
  readonly asOf: string
  readonly kinds: readonly KindCost[]
}

/**
 * What the log knows of the use of platforms that charge for it, at today's prices. Without a workspace: of all.
 *
 * @param month `YYYY-MM`, UTC
 */
export type MonthCosts = (month: string, workspaceId?: string) => Promise<readonly PlatformCost[]>
