import type { References, ReplyRules } from '../../domain/conversation/comment.ts'
import type { PlatformAccount, PlatformIo, Proof, Search } from './platform.ts'

export type { References } from '../../domain/conversation/comment.ts'

/** What somebody wrote under a post of the account, or wrote elsewhere and named the account in. */
export interface FetchedComment {
  /** The platform's own. */
  readonly id: string
  readonly kind: 'comment' | 'mention'
  /** The post it stands under, by the id that publishing gives. Absent when it is not one of the account's own. */
  readonly postId?: string
  /** As it is shown to people. */
  readonly author: string
  /** The platform's own id of who wrote it, where it is told. */
  readonly authorId?: string
  readonly text: string
  /** ISO 8601 UTC. */
  readonly createdAt: string
  /** Whether the account has answered it, from wherever. Absent where the platform does not tell. */
  readonly replied?: boolean
  /** All that `requires` names, where a reply is possible. */
  readonly references: References
}

/** One reply to one comment. The same for every attempt, so that what is derived from it is too. */
export interface ReplyJob {
  /** UUID of the reply. */
  readonly key: string
  readonly account: PlatformAccount
  /** The platform's own id of the comment. */
  readonly commentId: string
  readonly references: References
  readonly text: string
  /** ISO 8601 UTC. When sending was decided: the reply's own time, and the start of any search for it. */
  readonly approvedAt: string
}

export interface SentReply {
  /** The platform's own id of the reply. */
  readonly replyId: string
  /** Its permalink. */
  readonly url?: string
}

/** What is written to an account, and what it answers. */
export interface Conversation extends ReplyRules {
  /** The platform's own pace: the least time (ms) between two looks at one account, by its quota. */
  readonly leastIntervalMs: number
  /**
   * All comments and mentions not older than `since` (ISO 8601 UTC), the account's own left out, in pages of any size and
   * order. One may come twice.
   *
   * @throws PlatformError
   */
  fetch(account: PlatformAccount, since: string, io: PlatformIo): AsyncIterable<readonly FetchedComment[]>
  /** How a reply whose answer was lost can be settled. */
  readonly proof: Exclude<Proof, 'handle'>
  /** After this many milliseconds a reply that went out is surely found by `find`. */
  readonly visibleWithinMs: number
  /**
   * The one visible call.
   *
   * @throws PlatformError, `ambiguous` when the platform may have taken it
   */
  reply(job: ReplyJob, io: PlatformIo): Promise<SentReply>
  /**
   * Looks for a reply whose answer was lost, by what its job says alone: the sending itself may have been forgotten. After a lost
   * answer asked of `searchable` only, as an `idempotent-key` is settled by repeating `reply`.
   *
   * @throws PlatformError when looking again later may tell
   */
  find?(job: ReplyJob, io: PlatformIo): Promise<Search<SentReply>>
}
