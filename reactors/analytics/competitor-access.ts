import { account } from '../../domain/account/account.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import { load, type CommandDeps } from '../../commands/handle.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Competitors } from '../../platforms/kit/analytics.ts'
import type { PlatformAccount, PlatformError, PlatformIo } from '../../platforms/kit/platform.ts'
import { connectedAccounts } from '../../projections/models/accounts.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'
import { readsInBackground } from '../platform-calls/background-reading.ts'
import { answerOf } from '../platform-calls/platform-failure.ts'

export interface CompetitorDeps extends CommandDeps {
  readonly db: Database
  readonly access: PlatformAccess
  readonly logger: Logger
}

/** The workspace and platform whose accounts may be used, and the account to try first. */
export interface Asker {
  readonly workspaceId: string
  readonly platform: PlatformKey
  readonly accountId?: string
  /** On a schedule, and not because somebody waits for it: only accounts that are read in the background are used. */
  readonly isScheduled?: true
}

/** The outcome, and the account that was used. Times are ms since the epoch. */
export type Asked<Value> =
  | { readonly outcome: 'answered'; readonly value: Value; readonly accountId: string }
  /** The platform accepts nothing from the accounts until then. */
  | { readonly outcome: 'resting'; readonly until: number }
  /** `error` is worded for the user; a retry may succeed from `again` on. */
  | { readonly outcome: 'failed'; readonly error: string; readonly again: number }

const CALL_TIMEOUT_MS = 60_000
/** Retry delays (ms): RETRY_MS for transient failures, SELDOM_MS for those that the account's owner may have to fix. */
const RETRY_MS = 3_600_000
const SELDOM_MS = 6 * 3_600_000
/** Looking up others may need its own permission and has its own quota, so a failure must not stop publishing. */
const nothing = async (): Promise<void> => undefined

/** Asks a platform about other accounts through the first connected account that has access. */
export async function askAbout<Value>(
  deps: CompetitorDeps,
  asker: Asker,
  signal: AbortSignal,
  ask: (competitors: Competitors, source: PlatformAccount, io: PlatformIo) => Promise<Value>,
): Promise<Asked<Value>> {
  const { log, clock, access } = deps
  const { platform } = asker
  const { competitors } = access.platform(platform).analytics ?? {}
  if (!competitors) return failed(`${platform} provides no data about other accounts.`, clock.now() + SELDOM_MS)
  let restsUntil = Infinity
  let lost: string | undefined
  let isSwitchedOff = false
  for (const id of await candidates(deps, asker)) {
    const state = await load(log, account, id)
    if (state.status !== 'connected') continue
    if (asker.isScheduled && !readsInBackground(state, access.costsOf)) {
      isSwitchedOff = true
      continue
    }
    if (state.needsReauth !== undefined) {
      lost = state.needsReauth
      continue
    }
    const rests = Date.parse(state.restsUntil ?? '')
    if (rests > clock.now()) {
      restsUntil = Math.min(restsUntil, rests)
      continue
    }
    const pause = asker.isScheduled ? await access.pauses.pauseOf(state, 'reading') : undefined
    if (pause) {
      restsUntil = Math.min(restsUntil, pause.until)
      continue
    }
    const { externalId, baseUrl } = state
    const source = { id, platform, externalId, ...(baseUrl === undefined ? {} : { baseUrl }) }
    const answer = await answerOf({ ...deps, signal, job: { account: source }, onFailure: nothing }, () =>
      access.run(source, CALL_TIMEOUT_MS, signal, (io) => ask(competitors, source, io), 'analytics'),
    )
    if (answer.ok) return { outcome: 'answered', value: answer.value, accountId: id }
    const { kind, message } = answer.failure
    if (kind !== 'needs-reauth' && kind !== 'forbidden')
      return failed(message, clock.now() + retryAfter(answer.failure))
    lost = message
  }
  if (restsUntil < Infinity) return { outcome: 'resting', until: restsUntil }
  if (isSwitchedOff && lost === undefined) return failed(switchedOff(platform), clock.now() + SELDOM_MS)
  return failed(noAccess(platform, lost), clock.now() + SELDOM_MS)
}

/** From the read model, which may lag behind; the caller checks each account against the log. */
async function candidates({ db }: CompetitorDeps, { workspaceId, platform, accountId }: Asker) {
  const connected = await connectedAccounts(db, workspaceId)
  const ids = connected.filter((row) => row.platform === platform).map(({ id }) => id)
  return new Set(accountId === undefined ? ids : [accountId, ...ids])
}

function failed(error: string, again: number): Extract<Asked<never>, { outcome: 'failed' }> {
  return { outcome: 'failed', error, again }
}

function switchedOff(platform: PlatformKey): string {
  return `Reading in the background costs money on ${platform}, and is switched off for its accounts. Switch it on for one with: fanfare accounts background-reading <accountId> on`
}

function noAccess(platform: PlatformKey, lost: string | undefined): string {
  const connect = `fanfare accounts connect ${platform}`
  if (lost === undefined) return `No account on ${platform} is connected. Connect one with: ${connect}`
  return `No account on ${platform} still has access. ${lost} Connect one again with: ${connect}`
}

function retryAfter({ kind, retryAfterMs = 0 }: PlatformError): number {
  const passes = kind === 'retryable' || kind === 'ambiguous'
  return Math.max(passes ? RETRY_MS : SELDOM_MS, retryAfterMs)
}
