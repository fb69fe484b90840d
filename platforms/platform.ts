import type { z } from 'zod'
import type { MediaType, PlatformKey } from '../domain/platform.ts'
import type { Clock } from '../system/clock.ts'
import type { Http } from './http.ts'
import type { MediaSource } from './media.ts'

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

/** What the platform gave before the visible step (container id, record key, blob reference). Plain JSON, recorded. */
export type PublishHandle = Readonly<Record<string, unknown>>

export interface Published {
  /** The platform's id of the post. */
  readonly postId: string
  /** Its permalink. */
  readonly url?: string
}

export type Search<Found> =
  | { readonly outcome: 'found'; readonly found: Found }
  /** Surely not there. Only asked after the deadline of the call and `visibleWithinMs` have passed. */
  | { readonly outcome: 'absent' }
  /** Can't be told. */
  | { readonly outcome: 'unknown' }

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
 * How a publish whose answer was lost can be settled:
 * - `idempotent-key`: repeating `publish` with the same handle is harmless;
 * - `handle`: the platform tells by the handle;
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
  readonly proof: Proof
  /** After this many milliseconds a post that went out is surely found by `find`. */
  readonly visibleWithinMs: number
  /** The fields that `fanfare accounts connect` asks for; each with a description. */
  readonly credentials: z.ZodObject
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
   * Everything that nobody sees: checks, media, uploads. May be repeated.
   *
   * @throws PlatformError
   */
  prepare(job: PublishJob, io: PlatformIo): Promise<PublishHandle>
  /**
   * The one visible call.
   *
   * @throws PlatformError, `ambiguous` when the platform may have taken it
   */
  publish(job: PublishJob, handle: PublishHandle, io: PlatformIo): Promise<Published>
  /** Looks for a publish whose answer was lost. Never asked of `idempotent-key` and `opaque` platforms. */
  find?(job: PublishJob, handle: PublishHandle, io: PlatformIo): Promise<Search<Published>>
  /** Absent where the platform takes no first comment: it is then ignored. */
  readonly firstComment?: FirstComment
}

export type PlatformErrorKind = 'permanent' | 'retryable' | 'needs-reauth' | 'ambiguous'

/** A platform's refusal or failure, classified. The message is shown to the user: plain words, no secret. */
export class PlatformError extends Error {
  readonly kind: PlatformErrorKind
  /** When the platform said how long to wait. */
  readonly retryAfterMs: number | undefined

  constructor(kind: PlatformErrorKind, message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'PlatformError'
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs
  }
}
