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
import type { PlatformAccess } from '../platform-calls/platform-access.ts'
import { answerOf } from '../platform-calls/platform-failure.ts'
import { putDown, type CapturedAccount } from './put-down-metrics.ts'
import { DONE, park, type Reactor } from '../runtime/reactor.ts'

export interface CaptureMetricsDeps extends CommandDeps {
  readonly db: Database
  readonly access: PlatformAccess
  readonly checks: MetricChecks
  readonly logger: Logger
  /** The platforms whose numbers are captured: some of them bill each post that they tell of. */
  readonly platforms: readonly string[]
}

const CALL_TIMEOUT_MS = 60_000
/** What passes is tried again this soon (ms), what does not this seldom: its owner may have mended it. */
const RETRY_MS = 15 * 60_000
const SELDOM_MS = 6 * 3_600_000
/** A read model that is being made anew does not have all posts yet: none waits longer (ms) for that. */
const LONGEST_MS = 24 * 3_600_000
/** Telling numbers may want a permission that publishing does not, and has its own quota: the account goes on publishing. */
const nothing = async (): Promise<void> => undefined

/**
 * Asks for the numbers of an account's posts that are due, in as few calls as the platform allows, and puts down each post's
 * once for each look of the cadence.
 */
export function captureMetricsReactor(deps: CaptureMetricsDeps): Reactor {
  return async ({ subject: id }, signal) => {
    const { log, clock, db, access, checks, platforms } = deps
    const state = await load(log, account, id)
    if (state.status !== 'connected') return DONE
    const { analytics } = access.platform(state.platform)
    if (!analytics) return DONE
    const { platform, workspaceId, externalId, baseUrl } = state
    const source = { id, platform, workspaceId, externalId, ...(baseUrl === undefined ? {} : { baseUrl }) }
    const now = clock.now()
    if (!platforms.includes(platform)) return park(now + LONGEST_MS)
    // Connecting it again has it looked at at once.
    if (state.needsReauth !== undefined) return park(now + LONGEST_MS)
    const rests = Date.parse(state.restsUntil ?? '')
    if (rests > now) return park(rests)

    const { asked, next, failure } = await lookAll(deps, analytics, source, now, signal)
    if (failure) await checks.noteFailure(id, asText(failure.message, 2_000))
    else if (asked > 0) await checks.noteSuccess(id)
    if (failure && !isOfOnePost(failure)) return park(clock.now() + retryAfter(failure))
    // The read model may not have come so far yet: what was looked at just now is known here.
    const later = Date.parse((await nextDue(db, id, isoTime(now))) ?? '')
    return park(Math.min(later || Infinity, next, now + (failure ? SELDOM_MS : LONGEST_MS)))
  }
}

/** The platform refuses what it was asked for: it may tell of other posts all the same. */
function isOfOnePost({ kind }: PlatformError): boolean {
  return kind === 'permanent'
}

function retryAfter({ kind, retryAfterMs = 0 }: PlatformError): number {
  return Math.max(kind === 'needs-reauth' || kind === 'forbidden' ? SELDOM_MS : RETRY_MS, retryAfterMs)
}

interface Looked {
  readonly asked: number
  /** When the first of them is due again, ms since the epoch; Infinity when none is. */
  readonly next: number
  /** Why some, or all that are left, could not be asked for. */
  readonly failure?: PlatformError
}

/** Everything that is due, batch by batch. */
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
      deps.access.run(source, CALL_TIMEOUT_MS, signal, (io) => analytics.metrics(source, ids, io)),
    )
    if (answer.ok) {
      const next = await putDown(deps, source, posts, answer.value, now)
      looked = { ...looked, asked: looked.asked + posts.length, next: Math.min(looked.next, next) }
    } else {
      looked = { ...looked, failure: answer.failure }
      if (!isOfOnePost(answer.failure)) return looked
    }
  }
}
