import type { References, ReplyRules } from '../../domain/conversation/comment.ts'
import type { PlatformAccount, PlatformIo, Prepared, Proof, PublishHandle, Search } from './platform.ts'

export type { References } from '../../domain/conversation/comment.ts'

/** A comment under a post of the account, or a mention of the account elsewhere. */
export interface FetchedComment {
  /** The platform's id. */
  readonly id: string
  readonly kind: 'comment' | 'mention'
  /** The post it belongs to, by the id that publishing returned. Absent when it is not one of the account's own. */
  readonly postId?: string
  /** Display name. */
  readonly author: string
  /** The platform's id of the author, if known. */
  readonly authorId?: string
  readonly text: string
  /** ISO 8601 UTC. */
  readonly createdAt: string
  /** Whether the account has replied to it, from anywhere. Absent if the platform does not say. */
  readonly replied?: boolean
  /** Everything that `requires` lists, if a reply is possible. */
  readonly references: References
}

/** One reply to one comment. Identical for every attempt, so anything derived from it is stable. */
export interface ReplyJob {
  /** UUID of the reply. */
  readonly key: string
  readonly account: PlatformAccount
  /** The platform's id of the comment. */
  readonly commentId: string
  readonly references: References
  readonly text: string
  /** ISO 8601 UTC. When the reply was approved: its own timestamp, and the start of any search for it. */
  readonly approvedAt: string
}

export interface SentReply {
  /** The platform's id of the reply. */
  readonly replyId: string
  /** Its permalink. */
  readonly url?: string
}

/** Comments on and mentions of an account, and its replies. */
export interface Conversation extends ReplyRules {
  /** Minimum time (ms) between two reads of one account, chosen by the platform's quota. */
  readonly leastIntervalMs: number
  /**
   * All comments and mentions not older than `since` (ISO 8601 UTC), except the account's own, in pages of any size and order.
   * May contain duplicates.
   *
   * @throws PlatformError
   */
  fetch(account: PlatformAccount, since: string, io: PlatformIo): AsyncIterable<readonly FetchedComment[]>
  /** How to reconcile a reply whose response was lost. */
  readonly proof: Exclude<Proof, 'handle'>
  /** Time (ms) after which `find` is certain to see a published reply. */
  readonly visibleWithinMs: number
  /**
   * All invisible work. May be repeated. Absent where there is none, and with the proof `idempotent-key`.
   *
   * @param earlier the handle from the previous call of `prepare` for this reply, if any
   * @throws PlatformError
   */
  prepare?(job: ReplyJob, io: PlatformIo, earlier: PublishHandle | undefined): Promise<Prepared>
  /**
   * The only visible call.
   *
   * @param handle from `prepare`
   *
   * @throws PlatformError, `ambiguous` when the platform may have accepted it
   */
  reply(job: ReplyJob, io: PlatformIo, handle?: PublishHandle): Promise<SentReply>
  /**
   * Looks for a reply whose response was lost, using only its job: the record of the attempt may be lost too. After a lost
   * response it is called for `searchable` only, because an `idempotent-key` is reconciled by repeating `reply`.
   *
   * @throws PlatformError when looking again later may help
   */
  find?(job: ReplyJob, io: PlatformIo): Promise<Search<SentReply>>
}
