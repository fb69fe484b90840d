import type { PostMetrics } from '../../domain/analytics/metrics.ts'
import type { PlatformAccount, PlatformIo } from './platform.ts'

/** What a platform counts. */
export interface Analytics {
  /** How many posts one call of `metrics` may ask for. */
  readonly postsPerCall: number
  /** For how long (ms) an answer is given again instead of asking anew, by the platform's quota. */
  readonly freshForMs: number
  /**
   * The numbers of the account's own posts as they are now, by the ids that publishing gives. What the platform does not know
   * (deleted, or too fresh) is absent.
   *
   * @throws PlatformError
   */
  metrics(
    account: PlatformAccount,
    postIds: readonly string[],
    io: PlatformIo,
  ): Promise<ReadonlyMap<string, PostMetrics>>
  /** The account as a whole. @throws PlatformError */
  channel(account: PlatformAccount, io: PlatformIo): Promise<ChannelFacts>
  /** Absent where the platform's API tells nothing of other accounts. */
  readonly competitors?: Competitors
}

/** All over the account's life; absent what the platform does not tell. */
export interface ChannelFacts {
  readonly followers?: number
  readonly posts?: number
  readonly views?: number
}

/** What is public of other accounts on the platform, read with an account's own access. */
export interface Competitors {
  /**
   * Finds an account by what people know it by: a handle, with or without @, or the address of its page.
   *
   * @returns undefined when there is none
   * @throws PlatformError
   */
  find(account: PlatformAccount, handle: string, io: PlatformIo): Promise<Competitor | undefined>
  /**
   * The account as a whole, and its newest posts that are not older than `since` (ISO 8601 UTC), 100 at most.
   *
   * @returns undefined when it is there no more
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
  /** The platform's own id. */
  readonly externalId: string
  /** As people write it, without @. */
  readonly handle: string
  readonly label: string
}

export interface CompetitorFacts extends Competitor, ChannelFacts {
  readonly recent: readonly { readonly id: string; readonly createdAt: string; readonly metrics: PostMetrics }[]
}
