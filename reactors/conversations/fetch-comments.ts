import { account } from '../../domain/account/account.ts'
import { asText } from '../../domain/core/text.ts'
import { load, type CommandDeps } from '../../commands/handle.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Conversation } from '../../platforms/kit/conversation.ts'
import type { PlatformAccount, PlatformError, PlatformIo } from '../../platforms/kit/platform.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { CommentChecks } from './comment-checks.ts'
import { lookAt, nextInterval, type PaceOf } from './comment-pace.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'
import { noteLimit, noteSuccess } from '../platform-calls/account-standing.ts'
import { readsInBackground } from '../platform-calls/background-reading.ts'
import { pausedUntil } from '../platform-calls/pauses.ts'
import { answerOf } from '../platform-calls/platform-failure.ts'
import { DONE, park, type Reactor } from '../runtime/reactor.ts'
import { receivePage } from './receive-comments.ts'

export interface FetchCommentsDeps extends CommandDeps {
  readonly db: Database
  readonly access: PlatformAccess
  readonly checks: CommentChecks
  readonly paceOf: PaceOf
  readonly logger: Logger
}

/** How far back comments are fetched (api-spec §8, Recent-comments window). */
export const WINDOW_MS = 7 * 86_400_000
/** Interval (ms) of searches through the whole window, which find replies made on the platform itself. */
const SWEEP_EVERY_MS = 3_600_000
/** Other checks begin this long (ms) before the last one: platforms show some comments late. */
const OVERLAP_MS = 15 * 60_000
/** Interval (ms) at which an account that is read on request only is looked at, without a call. */
const SELDOM_MS = 24 * 3_600_000
/** A busy account has hundreds of pages. */
const FETCH_TIMEOUT_MS = 10 * 60_000

/**
 * Fetches what was written to an account, and records each comment once. The next interval depends on how much was found; a check
 * that finds nothing leaves no event.
 */
export function fetchCommentsReactor(deps: FetchCommentsDeps): Reactor {
  return async ({ subject: id, token }, signal) => {
    const { log, clock, access, checks, paceOf, logger } = deps
    const state = await load(log, account, id)
    if (state.status !== 'connected') return DONE
    const connector = access.platform(state.platform)
    const { conversation } = connector
    if (!conversation) return DONE
    const { platform, workspaceId, externalId, baseUrl, connectedAt, checkAt = connectedAt } = state
    const source = { id, platform, externalId, ...(baseUrl === undefined ? {} : { baseUrl }) }
    const pace = paceOf(source, conversation.leastIntervalMs)
    const now = clock.now()
    // Reconnecting the account makes it due immediately.
    if (state.needsReauth !== undefined) return park(now + pace.mostMs)
    const rests = Date.parse(state.restsUntil ?? '')
    if (rests > now) return park(rests)

    const last = await checks.last(id)
    const isAsked = state.checkAt !== undefined && (!last || Date.parse(state.checkAt) > last.checkedAt)
    if (!isAsked && !readsInBackground(state, access.costsOf)) return park(now + SELDOM_MS)
    // An event or a rebuild of the read model may recreate the agenda row; that must not change the interval.
    const due = lookAt(Date.parse(checkAt), last)
    if (due > now) return park(due)
    const isSweep = last === undefined || now - last.sweptAt >= SWEEP_EVERY_MS
    const since = Math.max(now - WINDOW_MS, isSweep ? 0 : last.checkedAt - OVERLAP_MS)
    const use = {
      accountId: id,
      capability: 'comments',
      platform: connector,
      by: 'fetch-comments',
      work: token,
    } as const
    const paused = isAsked ? undefined : await pausedUntil(deps, source, 'reading', use)
    if (paused !== undefined) return park(paused)
    // Reading may need its own permission and has its own quota, so a failure must not stop publishing.
    const onFailure = (failure: PlatformError) => noteLimit(deps, use, failure)
    const answer = await answerOf({ logger, signal, job: { account: source }, onFailure }, () =>
      fetched(deps, conversation, { ...source, workspaceId }, since, signal),
    )
    if (!answer.ok) {
      const { kind, message, retryAfterMs = 0 } = answer.failure
      await checks.noteFailure(id, asText(message, 2_000))
      // A permission comes with a new connection, which makes the account due immediately.
      const leastMs = kind === 'forbidden' ? pace.mostMs : pace.leastMs
      return park(clock.now() + Math.max(last?.intervalMs ?? 0, leastMs, retryAfterMs))
    }
    await noteSuccess(deps, use, state.limits)
    const intervalMs = nextInterval(last, { isBusy: answer.value > 0, now }, pace)
    await checks.note(id, { checkedAt: now, sweptAt: isSweep ? now : last.sweptAt, intervalMs })
    return park(clock.now() + intervalMs)
  }
}

/** @returns how many were new */
function fetched(
  deps: FetchCommentsDeps,
  conversation: Conversation,
  source: PlatformAccount & { readonly workspaceId: string },
  since: number,
  signal: AbortSignal,
): Promise<number> {
  const receive = async (io: PlatformIo) => {
    let received = 0
    for await (const page of conversation.fetch(source, isoTime(since), io)) {
      const recent = page.filter(({ createdAt }) => Date.parse(createdAt) >= since)
      received += await receivePage(deps, source, recent)
    }
    return received
  }
  return deps.access.run(source, FETCH_TIMEOUT_MS, signal, receive, 'comments')
}
