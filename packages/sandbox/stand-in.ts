import type { FastifyInstance } from 'fastify'
import type { PlatformKey } from '../../domain/core/platform.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Ids } from '../../infra/runtime/ids.ts'
import type { Files } from './files.ts'
import type { Faults } from './faults.ts'
import type { Ledger, LedgerAccount, LedgerComment, LedgerPost } from './ledger.ts'

export interface StandInDeps {
  readonly ledger: Ledger
  readonly files: Files
  readonly faults: Faults
  readonly clock: Clock
  readonly ids: Ids
  /** This stand-in's URL, `http://127.0.0.1:<port>/<platform>`. Only known once the server listens. */
  baseUrl(): string
}

/** A call of the platform to a URL of the app. */
export interface RemovalCall {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A post from before the sandbox was first started. */
export type PastPost = Required<
  Pick<LedgerPost, 'accountId' | 'caption' | 'mediaUrl' | 'mediaType' | 'createdAt' | 'reach'>
>

/** One platform's HTTP API, close enough to the real one for its connector. */
export interface StandIn {
  readonly platform: PlatformKey
  /** Changes the path of a request, which begins with `/<platform>`, before its route is looked up. */
  readonly rewriteUrl?: (url: string) => string
  /** Creates an account id in the platform's format. Default: `<platform>-<8 hex digits>`. */
  newExternalId?(ids: Ids): string
  /**
   * The scopes that an app with these products may ask for, where the platform has such. Default: all.
   *
   * @throws SandboxRefusal for products that no app can have
   */
  scopesOfProducts?(products: readonly string[] | undefined): readonly string[]
  /**
   * The secrets of a new account, in the form that the platform's connector expects. They are stored as the ledger account's
   * `secrets`; a stand-in that rotates them saves the account again.
   */
  issueCredentials(externalId: string, deps: StandInDeps): Readonly<Record<string, string>>
  /** The platform-specific part of a fan's comment: its id and any details to store. Default: an id of hex digits. */
  newComment?(
    given: Pick<LedgerComment, 'accountId' | 'postId' | 'author' | 'text'>,
    deps: StandInDeps,
  ): Pick<LedgerComment, 'id' | 'details'>
  /** For accounts that have posted before; absent where the platform reports no numbers. */
  readonly history?: {
    /** What is specific to the platform: its id of a post, and any details to store. */
    identify(post: PastPost, deps: StandInDeps): Pick<LedgerPost, 'id' | 'token' | 'details'>
    /** What it reported of a post at a time (ms since the epoch), under Fanfare's names. */
    countsAt(post: LedgerPost, time: number): Readonly<Record<string, number>>
  }
  /** Whether it gives less to apps that the platform has not reviewed: see `Ledger.isReviewed`. */
  readonly reviewsApps?: true
  /** Whether it fetches media only from what is verified: see `Ledger.verifiedUrls`. */
  readonly verifiesUrls?: true
  /**
   * The account's owner removes the app that they consented to: its tokens become invalid. Absent where the platform does not tell
   * the app.
   *
   * @returns what it tells the app
   */
  removeApp?(account: LedgerAccount, deps: StandInDeps): RemovalCall
  /**
   * Adds the routes. `app` is a separate Fastify scope under the prefix `/<platform>`, so paths, body parsers, hooks and the
   * error handler apply to this platform only.
   */
  register(app: FastifyInstance, deps: StandInDeps): void
}
