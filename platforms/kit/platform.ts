import type * as z from 'zod'
import type { Capability, LimitCause } from '../../domain/account/capability.ts'
import type { PlatformKey, PostType } from '../../domain/core/platform.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { COVER_OPTIONS, Shown } from '../../domain/post/post-media.ts'
import type { PublishedPart } from '../../domain/post/publish-result.ts'
import type { Analytics } from './analytics.ts'
import type { ApiVersions, ChosenVersions } from './api-version.ts'
import type { Login } from './authorization.ts'
import type { Conversation } from './conversation.ts'
import type { Costs } from './costs.ts'
import type { Edit } from './edit.ts'
import type { FirstComment } from './first-comment.ts'
import type { Checked, Takes } from './media-set.ts'
import type { PostDefaults } from './post-defaults.ts'
import type { PostingQuota } from './posting-quota.ts'
import type { Previewed } from './previewed.ts'
import type { Removals } from './removal.ts'
import type { RelayUrl } from './relay.ts'
import type { Http } from '../../infra/http/http.ts'
import type { MediaFacts, MediaSource } from '../../infra/media/media.ts'

/** An account's secrets: flat JSON, encrypted in the vault, never in an event or a log line. */
export type Credentials = Readonly<Record<string, string>>

export interface CredentialStore {
  read(): Promise<Credentials>
  /**
   * Replaces stale credentials, one caller at a time across all processes: the second one gets what the first stored. New
   * credentials are stored before they are returned.
   */
  renew(stale: Credentials, renew: (current: Credentials) => Promise<Credentials>): Promise<Credentials>
}

export interface PlatformAccount {
  readonly id: string
  readonly platform: PlatformKey
  /** The platform's id of the account. */
  readonly externalId: string
  /** A host other than the platform's own: a test server, a proxy, a self-hosted Bluesky server. No trailing slash. */
  readonly baseUrl?: string | undefined
}

/** One post, or one part of a chain, for one account. Identical for every attempt, so anything derived from it is stable. */
export interface PublishJob extends Shown {
  /** UUID of the pair (post, account), or of the part. */
  readonly key: string
  readonly account: PlatformAccount
  /** Of a part of a chain: the first part, and the one that it replies to. */
  readonly inReplyTo?: { readonly first: PublishedPart; readonly previous: PublishedPart } | undefined
  /** Final text: caption or override, hashtags appended. May be empty. */
  readonly text: string
  /** What the post sets on this platform, or this account, alone (`platforms/post-options.ts`). */
  readonly options?: Readonly<Record<string, unknown>> | undefined
  /** The text of the first comment, on a platform that has them. Absent: there is none. */
  readonly firstComment?: string | undefined
  /** What posts of the account have that do not set it. */
  readonly defaults?: Readonly<Record<string, unknown>> | undefined
  /** ISO 8601 UTC. When the post was queued: its own timestamp, and the start of any search for it. */
  readonly queuedAt: string
}

/** A post as the platform lists it. */
export interface ListedPost {
  /** The platform's id. */
  readonly id: string
  /** Creation time, ms since the epoch. Absent where that does not indicate when the post was sent. */
  readonly createdAt?: number | undefined
}

/** What is known about the other posts sent to an account from this installation. */
export interface Others {
  /** Ids of listed posts that cannot be the one searched for. */
  readonly ruledOut: ReadonlySet<string>
  /** Whether the rest may include a look-alike of unknown outcome: `passing` if known soon, `lasting` if perhaps never. */
  readonly doubt: 'none' | 'passing' | 'lasting'
}
export type OtherPosts = (listed: readonly ListedPost[]) => Promise<Others>

/** What the platform returned before the visible step (container id, record key, blob reference). Plain JSON, recorded. */
export type PublishHandle = Readonly<Record<string, unknown>>

export interface Published {
  /** The platform's id of the post. */
  readonly postId: string
  /** Its permalink. */
  readonly url?: string
  /** What somebody still has to do, as a sentence for the account's owner. */
  readonly note?: string
}

/** The platform is still working, or something else is pending. Check again after this time (ms), at the platform's own pace. */
export interface Processing {
  readonly outcome: 'processing'
  readonly lookAgainMs: number
}

export type Search<Found> =
  | { readonly outcome: 'found'; readonly found: Found }
  /** Not there. Trusted only once the call's deadline and `visibleWithinMs` have passed. */
  | { readonly outcome: 'absent' }
  /** Cannot be determined. */
  | { readonly outcome: 'unknown' }

/** The outcome of a post that the platform keeps processing. `refused`: it accepted the call, but then rejected the post. */
export type Outlook = Search<Published> | Processing | { readonly outcome: 'refused'; readonly error: string }

/** Result of the invisible work: done, or waiting for the platform. The handle is recorded immediately. */
export type Prepared =
  | { readonly outcome: 'ready'; readonly handle: PublishHandle }
  | (Processing & { readonly handle: PublishHandle })

/**
 * Result of the visible call. If the platform keeps processing, the outcome is checked through its proof, with the handle given
 * here, if any, in place of the previous one.
 */
export type Publishing =
  | { readonly outcome: 'published'; readonly published: Published }
  | (Processing & { readonly handle?: PublishHandle })

/** What a connector gets for one piece of work. */
export interface PlatformIo {
  readonly http: Http
  readonly media: MediaSource
  readonly credentials: CredentialStore
  readonly clock: Clock
  /** Absent: the platform cannot reach this service, and fetches media from where it is. */
  readonly relay?: RelayUrl
  /** Default: the newest that each connector was tried with. */
  readonly versions?: ChosenVersions | undefined
  /** Aborts at the work's deadline; every call must pass it on. */
  readonly signal: AbortSignal
}

/**
 * How to reconcile a publish whose response was lost or is still pending:
 * - `idempotent-key`: repeating `publish` with the same handle is harmless;
 * - `handle`: the handle gives the outcome at any time;
 * - `searchable`: the account's own posts can be searched;
 * - `opaque`: none of these; the outcome stays unknown.
 */
export type Proof = 'idempotent-key' | 'handle' | 'searchable' | 'opaque'

export type Permissions = Readonly<Partial<Record<Capability, readonly string[]>>>

export interface Platform extends Previewed {
  readonly key: PlatformKey
  /** By what a post shows: absent for what `takes` does not have. */
  readonly proof: Readonly<Partial<Record<PostType, Proof>>>
  /**
   * Present where posts carry no marker of ours, so that a lost one is recognized by its text: whether one text could be
   * mistaken for the other. While a post is lost, no look-alike post is published.
   */
  readonly areAlike?: (text: string, other: string) => boolean
  /** Time (ms) after which `find` is certain to see a published post. */
  readonly visibleWithinMs: number
  /** Maximum duration (ms) of the visible call. Default 30 s. */
  readonly publishTimeoutMs?: number
  readonly takes: Takes
  /** What a post with these options takes, where that depends on them. Nothing larger than in `takes`. */
  takesFor?(options: PublishJob['options']): Takes
  /** The option whose URL takes the place of the `thumbnailUrl` of the only item, a video. */
  readonly coverOption?: (typeof COVER_OPTIONS)[number]
  /** The fields that `fanfare accounts connect` asks for; each with a description. */
  readonly credentials: z.ZodObject
  /** Whether a valid access token is enough to get the next one, so that its `expiresAt` is not the end of the access. */
  readonly renewsAccessToken?: true
  /** Where accounts are on many servers: the address of the one that is meant without a base URL. */
  readonly server?: string
  /** How owners consent in a browser; empty if they cannot. The first is the default, also for credentials that name none. */
  readonly logins: readonly Login[]
  /**
   * Checks credentials with a harmless call.
   *
   * @returns what to store, which may differ from the input (a session, for example). `ownerId`: who granted the access, where
   *   that is known and not `externalId`
   * @throws PlatformError
   */
  connect(
    given: Credentials,
    baseUrl: string | undefined,
    io: Omit<PlatformIo, 'credentials'>,
  ): Promise<{ externalId: string; label: string; credentials: Credentials; ownerId?: string | undefined }>
  /** What an account sets for posts that do not set it. Absent if there is nothing to set. */
  readonly postDefaults?: PostDefaults
  /** Names of options that belong together (`optionsFor`), such as a board and a section of it. */
  readonly joinedOptions?: readonly (readonly string[])[]
  /**
   * Ends the app's access to a disconnected account. Absent where there is no way, or where the owner's other accounts would lose it.
   *
   * @throws PlatformError `retryable` when it could not be reached; any other means that there is nothing to end
   */
  revoke?(account: PlatformAccount, io: PlatformIo): Promise<void>
  /** Absent if the platform does not report that a person has removed the app. */
  readonly removals?: Removals
  /**
   * Every platform rule that the post breaks, each as a sentence that names limit and value. Pure.
   *
   * @param facts absent until the media is fetched: then only the text is checked
   */
  check(post: Checked, facts: MediaFacts | undefined): readonly string[]
  /** What it may refuse or change, although no rule forbids it, as sentences: for previews alone. Pure. @param facts as for `check` */
  warnings?(post: Checked, facts: MediaFacts | undefined): readonly string[]
  /** Maximum duration (ms) of one call of `prepare`. Default 15 min. */
  readonly prepareTimeoutMs?: number
  /**
   * All invisible work: checks, media, uploads, waiting for a transcode. May be repeated.
   *
   * @param earlier the handle from the previous call of `prepare` for this post and account, if any
   * @throws PlatformError
   */
  prepare(job: PublishJob, io: PlatformIo, earlier: PublishHandle | undefined): Promise<Prepared>
  /**
   * The only visible call.
   *
   * @throws PlatformError, `ambiguous` when the platform may have accepted it
   */
  publish(job: PublishJob, handle: PublishHandle, io: PlatformIo): Promise<Publishing>
  /** Looks for a publish whose response was lost or is still pending. Never called for `idempotent-key` and `opaque`. */
  find?(job: PublishJob, handle: PublishHandle, io: PlatformIo, others?: OtherPosts): Promise<Outlook>
  /**
   * Looks for a post whose publish attempt may be missing from the record: without a handle, by content and creation time.
   * Absent where the platform offers no way to do so.
   *
   * `absent` only if the listing certainly contains every published post of the account, so that publishing creates no
   * duplicate. A listing that may be incomplete or is too long, several matches, and a doubt about `others` are all `unknown`.
   *
   * @param job its `queuedAt` may be later than the original one, if that was lost too
   * @param since ms since the epoch: it cannot have been published before
   * @throws PlatformError when looking again later may help
   */
  findByContent?(job: PublishJob, since: number, io: PlatformIo, others?: OtherPosts): Promise<Search<Published>>
  /**
   * Deletes a post. Absent where the API offers no way. Also a success if the post is gone: after a lost response it is repeated.
   *
   * @throws PlatformError, `Unsupported` if there is no way for this account or post
   */
  unpublish?(account: PlatformAccount, post: PublishedPart, io: PlatformIo): Promise<void>
  /** Absent where the API cannot edit posts. */
  readonly edit?: Edit
  /** Absent if the platform does not support first comments: they are then ignored. */
  readonly firstComment?: FirstComment
  /** Absent if comments are neither read nor answered. */
  readonly conversation?: Conversation
  /** Absent if no metrics are available. */
  readonly analytics?: Analytics
  /** Absent if the use of its API is free. */
  readonly costs?: Costs
  /** How many posts an account may publish. Absent if that is not known in advance. */
  readonly quota?: PostingQuota
  /** Absent if its API has one version, or none that ends. */
  readonly versions?: ApiVersions
}

/**
 * `needs-reauth`: the account's access has expired or was revoked, and every call fails. `forbidden`: its access lacks what
 * this call needs (a scope, a role); other calls may succeed.
 */
export type PlatformErrorKind = 'permanent' | 'retryable' | 'needs-reauth' | 'forbidden' | 'ambiguous'

/** Quotas last a month at most: a longer wait is capped, a nonsensical one ignored. */
const LONGEST_WAIT_MS = 32 * 86_400_000

function sensibleWait(ms: number | undefined): number | undefined {
  return ms === undefined || Number.isNaN(ms) ? undefined : Math.min(ms, LONGEST_WAIT_MS)
}

/** A classified refusal or failure of a platform. The message is shown to the user: plain words, no secrets. */
export class PlatformError extends Error {
  readonly kind: PlatformErrorKind
  /** Set when the platform said how long to wait. */
  readonly retryAfterMs: number | undefined
  /** Whether the wait applies to the whole account: a rate limit or a quota. */
  readonly accountRests: boolean
  /** Why the platform refuses calls of this kind, where that outlasts the call. */
  readonly limit: LimitCause | undefined
  /** Whether the prepared work is useless and certainly was not published. */
  readonly startOver: boolean

  constructor(
    kind: PlatformErrorKind,
    message: string,
    options: {
      retryAfterMs?: number | undefined
      accountRests?: boolean
      limit?: LimitCause | undefined
      startOver?: boolean
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'PlatformError'
    this.kind = kind
    this.retryAfterMs = sensibleWait(options.retryAfterMs)
    this.accountRests = options.accountRests ?? false
    this.limit = options.limit ?? (kind === 'forbidden' ? 'permission_missing' : undefined)
    this.startOver = options.startOver ?? false
  }
}
