import type { z } from 'zod'
import type { MediaType, PlatformKey } from '../../domain/core/platform.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Analytics } from './analytics.ts'
import type { AuthorizationCode } from './authorization.ts'
import type { Conversation } from './conversation.ts'
import type { Http } from '../../infra/http/http.ts'
import type { MediaFacts, MediaSource } from '../../infra/media/media.ts'

/** An account's secrets: flat JSON, encrypted in the vault, never in an event or a log line. */
export type Credentials = Readonly<Record<string, string>>

export interface CredentialStore {
  read(): Promise<Credentials>
  /**
   * Replaces credentials found stale, by one caller at a time over all processes: whoever comes second is given what
   * the first one stored. The new ones are stored before they are handed back.
   */
  renew(stale: Credentials, renew: (current: Credentials) => Promise<Credentials>): Promise<Credentials>
}

export interface PlatformAccount {
  readonly id: string
  readonly platform: PlatformKey
  /** The platform's own id of the account. */
  readonly externalId: string
  /** Another host than the platform's own: a test server, a proxy, a self-hosted Bluesky server. No trailing slash. */
  readonly baseUrl?: string
}

/** One post for one account. The same for every attempt, so that what is derived from it is too. */
export interface PublishJob {
  /** UUID of the pair (post, account). */
  readonly key: string
  readonly account: PlatformAccount
  readonly mediaUrl: string
  readonly mediaType: MediaType
  /** Final text: caption or override, hashtags appended. May be empty. */
  readonly text: string
  /** ISO 8601 UTC. When the post was queued: the post's own time, and the start of any search for it. */
  readonly queuedAt: string
}

/** A post as the platform lists it. */
export interface ListedPost {
  /** The platform's own. */
  readonly id: string
  /** When it was made, ms since the epoch. Absent where that does not tell when it was sent. */
  readonly createdAt?: number | undefined
}

/** What is known of the other posts that were sent to an account from here. */
export interface Others {
  /** Ids of those of the listed posts that can not be the one that is searched for. */
  readonly ruledOut: ReadonlySet<string>
  /**
   * Whether another one may be among the rest: it says the same, and nobody knows what became of it. `passing` where somebody
   * will soon, `lasting` where perhaps nobody ever does.
   */
  readonly doubt: 'none' | 'passing' | 'lasting'
}
export type OtherPosts = (listed: readonly ListedPost[]) => Promise<Others>

/** What the platform gave before the visible step (container id, record key, blob reference). Plain JSON, recorded. */
export type PublishHandle = Readonly<Record<string, unknown>>

export interface Published {
  /** The platform's id of the post. */
  readonly postId: string
  /** Its permalink. */
  readonly url?: string
}

/** The platform is still at it, or something else is to be waited for: ask again after this time (ms), the platform's own pace. */
export interface Processing {
  readonly outcome: 'processing'
  readonly lookAgainMs: number
}

export type Search<Found> =
  | { readonly outcome: 'found'; readonly found: Found }
  /** Not there. Believed only once the deadline of the call and `visibleWithinMs` have passed. */
  | { readonly outcome: 'absent' }
  /** Can't be told. */
  | { readonly outcome: 'unknown' }

/** What becomes of a post that the platform goes on working at. `refused`: it took the call, and then not the post. */
export type Outlook = Search<Published> | Processing | { readonly outcome: 'refused'; readonly error: string }

/** What came of the invisible work: all done, or the platform has something to do first. The handle is recorded at once. */
export type Prepared =
  { readonly outcome: 'ready'; readonly handle: PublishHandle } | (Processing & { readonly handle: PublishHandle })

/**
 * What came of the visible call. A platform that goes on working after it is asked again through the proof: with the handle
 * that it has given now, if it has, which takes the place of the one before.
 */
export type Publishing =
  { readonly outcome: 'published'; readonly published: Published } | (Processing & { readonly handle?: PublishHandle })

/** What a connector is handed for one piece of work. */
export interface PlatformIo {
  readonly http: Http
  readonly media: MediaSource
  readonly credentials: CredentialStore
  readonly clock: Clock
  /** Aborts when the work's time is up; every call must pass it on. */
  readonly signal: AbortSignal
}

/**
 * How a publish whose answer was lost, or is still to come, can be settled:
 * - `idempotent-key`: repeating `publish` with the same handle is harmless;
 * - `handle`: the platform tells by the handle, at any time;
 * - `searchable`: the account's own posts can be searched;
 * - `opaque`: none of these; the outcome stays unknown.
 */
export type Proof = 'idempotent-key' | 'handle' | 'searchable' | 'opaque'

/** The first comment under a post just published (api-spec §4 `firstComment`). */
export interface FirstComment {
  /** One visible call. `key` is a UUID of the comment, the same for every attempt. */
  post(job: PublishJob, published: Published, comment: { key: string; text: string }, io: PlatformIo): Promise<void>
  find(
    job: PublishJob,
    published: Published,
    comment: { key: string; text: string },
    io: PlatformIo,
  ): Promise<Search<undefined>>
}

export interface Platform {
  readonly key: PlatformKey
  readonly proof: Readonly<Record<MediaType, Proof>>
  /**
   * Where posts carry nothing of ours, so that a lost one is told by what it says: whether of two texts one could be taken for the
   * other. While one is lost, none that is alike goes out.
   */
  readonly areAlike?: (text: string, other: string) => boolean
  /** After this many milliseconds a post that went out is surely found by `find`. */
  readonly visibleWithinMs: number
  /** The longest (ms) that the visible call may take. Default 30 s. */
  readonly publishTimeoutMs?: number
  /** The most bytes of each kind of media that it takes; a kind that is absent it does not take at all. */
  readonly takes: Readonly<Partial<Record<MediaType, { readonly maxBytes: number }>>>
  /** The fields that `fanfare accounts connect` asks for; each with a description. */
  readonly credentials: z.ZodObject
  /** Absent where an owner's consent is not asked for in a browser. */
  readonly authorization?: AuthorizationCode
  /**
   * Checks credentials with a harmless call.
   *
   * @returns what to store, which may differ from what was given (a session, for one)
   * @throws PlatformError
   */
  connect(
    given: Credentials,
    baseUrl: string | undefined,
    io: Omit<PlatformIo, 'credentials'>,
  ): Promise<{ externalId: string; label: string; credentials: Credentials }>
  /**
   * Every rule of the platform that the post breaks, each as a sentence that names limit and value. Pure, and asked by
   * `checkedMedia` before the first call, also for a preview.
   *
   * @param facts absent while the media is not fetched yet: then only the text is looked at
   */
  check(post: Pick<PublishJob, 'text' | 'mediaType'>, facts: MediaFacts | undefined): readonly string[]
  /**
   * Everything that nobody sees: checks, media, uploads, waiting for a transcode. May be repeated.
   *
   * @param earlier the handle of the last call of `prepare` for this post and account, if there was one
   * @throws PlatformError
   */
  prepare(job: PublishJob, io: PlatformIo, earlier: PublishHandle | undefined): Promise<Prepared>
  /**
   * The one visible call.
   *
   * @throws PlatformError, `ambiguous` when the platform may have taken it
   */
  publish(job: PublishJob, handle: PublishHandle, io: PlatformIo): Promise<Publishing>
  /** Looks for a publish whose answer was lost or is still to come. Never asked of `idempotent-key` and `opaque`. */
  find?(job: PublishJob, handle: PublishHandle, io: PlatformIo, others?: OtherPosts): Promise<Outlook>
  /**
   * Looks for a post whose sending may have been forgotten: without a handle, by what it shows and when it was made. Absent where
   * the platform has no way to tell.
   *
   * `absent` only where what is listed surely has each published post of the account, so that sending it makes no second one. A
   * list that may leave one out, or is too long, is `unknown`, as are several that fit. A doubt about `others` is `unknown`, too.
   *
   * @param job where its `queuedAt` was forgotten as well, that may be a later one
   * @param since ms since the epoch: before then it cannot have been published
   * @throws PlatformError when looking again later may tell
   */
  findByContent?(job: PublishJob, since: number, io: PlatformIo, others?: OtherPosts): Promise<Search<Published>>
  /** Absent where the platform takes no first comment: it is then ignored. */
  readonly firstComment?: FirstComment
  /** Absent where comments are neither read nor answered. */
  readonly conversation?: Conversation
  /** Absent where nothing can be told of how posts do. */
  readonly analytics?: Analytics
}

/**
 * `needs-reauth`: the account's access is dead or revoked, and no call of it succeeds any more. `forbidden`: its access lacks what
 * this call needs (a scope, a role); others may succeed.
 */
export type PlatformErrorKind = 'permanent' | 'retryable' | 'needs-reauth' | 'forbidden' | 'ambiguous'

/** Quotas are of a month at most: what asks for more, or makes no sense, is not believed. */
const LONGEST_WAIT_MS = 32 * 86_400_000

function sensibleWait(ms: number | undefined): number | undefined {
  return ms === undefined || Number.isNaN(ms) ? undefined : Math.min(ms, LONGEST_WAIT_MS)
}

/** A platform's refusal or failure, classified. The message is shown to the user: plain words, no secret. */
export class PlatformError extends Error {
  readonly kind: PlatformErrorKind
  /** When the platform said how long to wait. */
  readonly retryAfterMs: number | undefined
  /** Whether the whole account has to wait as long: a rate limit or a quota. */
  readonly accountRests: boolean
  /** Whether what was prepared is of no use any more and certainly not published. */
  readonly anew: boolean

  constructor(
    kind: PlatformErrorKind,
    message: string,
    options: {
      retryAfterMs?: number | undefined
      accountRests?: boolean
      anew?: boolean
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'PlatformError'
    this.kind = kind
    this.retryAfterMs = sensibleWait(options.retryAfterMs)
    this.accountRests = options.accountRests ?? false
    this.anew = options.anew ?? false
  }
}
