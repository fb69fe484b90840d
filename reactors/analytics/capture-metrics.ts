import { account } from '../../domain/account/account.ts'
import { asText } from '../../domain/core/text.ts'
import { load, type CommandDeps } from '../../commands/handle.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Analytics } from '../../platforms/kit/analytics.ts'
import type { PlatformError } from '../../platforms/kit/platform.ts'
import { duePosts, nextDue } from '../../projections/models/post-metrics.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { MetricChecks } from './metric-checks.ts'
import { noteLimit, noteSuccess } from '../platform-calls/account-standing.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'
import { readsInBackground } from '../platform-calls/background-reading.ts'
import { pausedUntil } from '../platform-calls/pauses.ts'
import { answerOf } from '../platform-calls/platform-failure.ts'
import { recordMetrics, type CapturedAccount } from './record-metrics.ts'
import { DONE, park, type Reactor } from '../runtime/reactor.ts'

export interface CaptureMetricsDeps extends CommandDeps {
  readonly db: Database
  readonly access: PlatformAccess
  readonly checks: MetricChecks
  readonly logger: Logger
  /** Platforms whose metrics are captured: some bill for each post read. */
  readonly platforms: readonly string[]
}

const CALL_TIMEOUT_MS = 60_000
/** Retry delays (ms): RETRY_MS for transient failures, SELDOM_MS for those that the account's owner may have to fix. */
const RETRY_MS = 15 * 60_000
const SELDOM_MS = 6 * 3_600_000
/** Longest wait (ms), because a read model that is being rebuilt may not list all posts yet. */
const LONGEST_MS = 24 * 3_600_000

/** What a failure says is recorded once, at the end. */
const nothing = async (): Promise<void> => undefined

/**
 * Requests the metrics of an account's due posts in as few calls as the platform allows, and records each post once per scheduled
 * look.
 */
export function captureMetricsReactor(deps: CaptureMetricsDeps): Reactor {
  return async ({ subject: id, token }, signal) => {
    const { log, clock, db, access, checks, platforms } = deps
    const state = await load(log, account, id)
    if (state.status !== 'connected') return DONE
    const connector = access.platform(state.platform)
    const { analytics } = connector
    if (!analytics) return DONE
    const { platform, workspaceId, externalId, baseUrl } = state
    const source = { id, platform, workspaceId, externalId, ...(baseUrl === undefined ? {} : { baseUrl }) }
    const now = clock.now()
    if (!platforms.includes(platform) || !readsInBackground(state, access.costsOf)) return park(now + LONGEST_MS)
    // Reconnecting the account makes it due immediately.
    if (state.needsReauth !== undefined) return park(now + LONGEST_MS)
    const rests = Date.parse(state.restsUntil ?? '')
    if (rests > now) return park(rests)

    const use = {
      accountId: id,
      capability: 'analytics',
      platform: connector,
      by: 'capture-metrics',
      work: token,
    } as const
    const paused = await pausedUntil(deps, source, 'reading', use)
    if (paused !== undefined) return park(paused)
    const { asked, next, failure } = await lookAll(deps, analytics, source, now, signal)
    // Reading metrics may need its own permission and has its own quota, so a failure must not stop publishing.
    if (failure) {
      await noteLimit(deps, use, failure)
      await checks.noteFailure(id, asText(failure.message, 2_000))
    } else if (asked > 0) {
      await noteSuccess(deps, use, state.limits)
      await checks.noteSuccess(id)
    }
    if (failure && !isOfOnePost(failure)) return park(clock.now() + retryAfter(failure))
    // The read model may lag behind, so `next` covers the posts just captured.
    const later = Date.parse((await nextDue(db, id, isoTime(now))) ?? '')
    return park(Math.min(later || Infinity, next, now + (failure ? SELDOM_MS : LONGEST_MS)))
  }
}

/** The platform rejected this request; it may still report on other posts. */
function isOfOnePost({ kind }: PlatformError): boolean {
  return kind === 'permanent'
}

function retryAfter({ kind, retryAfterMs = 0 }: PlatformError): number {
  return Math.max(kind === 'needs-reauth' || kind === 'forbidden' ? SELDOM_MS : RETRY_MS, retryAfterMs)
}

interface Looked {
  readonly asked: number
  /** When the first of them is due again, ms since the epoch; Infinity if none is. */
  readonly next: number
  /** Why some posts, or all remaining ones, could not be read. */
  readonly failure?: PlatformError
}

/** Captures everything that is due, batch by batch. */
async function lookAll(
  deps: CaptureMetricsDeps,
  analytics: Analytics,
  source: CapturedAccount,
  now: number,
  signal: AbortSignal,
): Promise<Looked> {
  let looked: Looked = { asked: 0, next: Infinity }
  for (let after = ''; ;) {
    const limit = analytics.postsPerCall
    const posts = await duePosts(deps.db, { accountId: source.id, now: isoTime(now), after, limit })
    const last = posts.at(-1)
    if (!last) return looked
    after = last.id
    const ids = posts.map((post) => post.platform_post_id)
    const answer = await answerOf({ ...deps, signal, job: { account: source }, onFailure: nothing }, () =>
      deps.access.run(source, CALL_TIMEOUT_MS, signal, (io) => analytics.metrics(source, ids, io), 'analytics'),
    )
    if (answer.ok) {
      const next = await recordMetrics(deps, source, posts, answer.value, now)
      looked = { ...looked, asked: looked.asked + posts.length, next: Math.min(looked.next, next) }
    } else {
      looked = { ...looked, failure: answer.failure }
      if (!isOfOnePost(answer.failure)) return looked
    }
  }
}
