import type { PostMetrics } from './metrics.ts'

/**
 * What a platform says now, or said last. `at` is when it said so, ISO 8601 UTC. With a `failure` it could not be asked anew, and
 * the value, if there is one, is older.
 */
export interface LiveAnswer<Value> {
  readonly value?: Value
  readonly at?: string
  /** Why, in words for the user. */
  readonly failure?: string
}

/** What is told of an account as a whole. */
export interface ChannelNumbers {
  readonly followers?: number | undefined
}

/** Asks platforms, no more often than their quotas allow: all who want the same at once get one answer. Never throws for them. */
export interface LiveNumbers {
  /** @param platformPostId the platform's own id of one of the account's posts */
  ofPost(accountId: string, platformPostId: string): Promise<LiveAnswer<PostMetrics>>
  ofChannel(accountId: string): Promise<LiveAnswer<ChannelNumbers>>
}
