import type { PostMetrics } from './metrics.ts'

/**
 * The platform's current or last known value. `at` is when it was read, ISO 8601 UTC. With a `failure`, the platform could not
 * be read and the value, if any, is older.
 */
export interface LiveAnswer<Value> {
  readonly value?: Value
  readonly at?: string
  /** Why, in words for the user. */
  readonly failure?: string
}

/** Numbers of an account as a whole. */
export interface ChannelNumbers {
  readonly followers?: number | undefined
}

/** Reads numbers from platforms, within their quotas: concurrent callers share one answer. Never throws when a platform fails. */
export interface LiveNumbers {
  /** @param platformPostId the platform's own id of one of the account's posts */
  ofPost(accountId: string, platformPostId: string): Promise<LiveAnswer<PostMetrics>>
  ofChannel(accountId: string): Promise<LiveAnswer<ChannelNumbers>>
}
