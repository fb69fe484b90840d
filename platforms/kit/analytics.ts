import type { PostMetrics } from '../../domain/analytics/metrics.ts'
import type { PlatformAccount, PlatformIo } from './platform.ts'

/** The metrics that a platform reports. */
export interface Analytics {
  /** Maximum number of posts per call of `metrics`. */
  readonly postsPerCall: number
  /** How long (ms) a result is served from cache, chosen by the platform's quota. */
  readonly freshForMs: number
  /**
   * Current metrics of the account's own posts, by the ids that publishing returned. Posts that the platform does not know
   * (deleted, or too new) are absent.
   *
   * @throws PlatformError
   */
  metrics(
    account: PlatformAccount,
    postIds: readonly string[],
    io: PlatformIo,
  ): Promise<ReadonlyMap<string, PostMetrics>>
  /** Figures for the whole account. @throws PlatformError */
  channel(account: PlatformAccount, io: PlatformIo): Promise<ChannelFacts>
  /** Absent if the platform's API exposes nothing about other accounts. */
  readonly competitors?: Competitors
}

/** Lifetime totals; absent where the platform does not report them. */
export interface ChannelFacts {
  readonly followers?: number
  readonly posts?: number
  readonly views?: number
}

/** Public data about other accounts on the platform, read with an account's own access. */
export interface Competitors {
  /**
   * Finds an account by its handle, with or without @, or by the URL of its page.
   *
   * @returns undefined when there is none
   * @throws PlatformError
   */
  find(account: PlatformAccount, handle: string, io: PlatformIo): Promise<Competitor | undefined>
  /**
   * The whole account, and its newest posts not older than `since` (ISO 8601 UTC), at most 100.
   *
   * @returns undefined when the account no longer exists
   * @throws PlatformError
   */
  look(
    account: PlatformAccount,
    externalId: string,
    since: string,
    io: PlatformIo,
  ): Promise<CompetitorFacts | undefined>
}

export interface Competitor {
  /** The platform's id. */
  readonly externalId: string
  /** Without @. */
  readonly handle: string
  readonly label: string
}

export interface CompetitorFacts extends Competitor, ChannelFacts {
  readonly recent: readonly { readonly id: string; readonly createdAt: string; readonly metrics: PostMetrics }[]
}
