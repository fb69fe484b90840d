import type { FastifyInstance } from 'fastify'
import type { PlatformKey } from '../../domain/core/platform.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Ids } from '../../infra/runtime/ids.ts'
import type { Faults } from './faults.ts'
import type { Ledger, LedgerComment } from './ledger.ts'

export interface StandInDeps {
  readonly ledger: Ledger
  readonly faults: Faults
  readonly clock: Clock
  readonly ids: Ids
  /** This stand-in's own address, `http://127.0.0.1:<port>/<platform>`. Only known once the server listens. */
  baseUrl(): string
}

/** One platform's HTTP API, close enough to the real one for its connector. */
export interface StandIn {
  readonly platform: PlatformKey
  /** A new account's id in this platform's own form. Default: `<platform>-<8 hex digits>`. */
  newExternalId?(ids: Ids): string
  /**
   * The secrets of a new account, in the form that the platform's connector asks for. They are kept as the ledger
   * account's `secrets`; a stand-in that rotates them saves the account anew.
   */
  issueCredentials(externalId: string, deps: StandInDeps): Readonly<Record<string, string>>
  /**
   * What a fan's comment has in this platform's own form: its id, and what else is to be kept of it. Default: an id of hex
   * digits.
   */
  newComment?(
    given: Pick<LedgerComment, 'accountId' | 'postId' | 'author' | 'text'>,
    deps: StandInDeps,
  ): Pick<LedgerComment, 'id' | 'details'>
  /**
   * Adds the routes. `app` is a Fastify scope of its own under the prefix `/<platform>`, so paths, body parsers, hooks
   * and the error handler are this platform's alone.
   */
  register(app: FastifyInstance, deps: StandInDeps): void
}
