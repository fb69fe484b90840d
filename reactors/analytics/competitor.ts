import { recentFigures, RECENT_MS } from '../../domain/analytics/competitor-figures.ts'
import {
  competitor,
  LONGEST_HANDLE,
  LONGEST_LABEL,
  LOOK_EVERY_MS,
  type CompetitorLook,
  type TrackedCompetitor,
} from '../../domain/analytics/competitor.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { asText } from '../../domain/core/text.ts'
import { failLook, recordLook } from '../../commands/competitor.ts'
import { handle, load, type Cause } from '../../commands/handle.ts'
import type { CompetitorFacts } from '../../platforms/kit/analytics.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { askAbout, type CompetitorDeps } from './competitor-access.ts'
import { DONE, park, type Reactor } from '../runtime/reactor.ts'

/** Records a competitor's public figures once a day. Failures are retried indefinitely. */
export function competitorReactor(deps: CompetitorDeps): Reactor {
  return async ({ subject: id, token }, signal) => {
    const { log, clock } = deps
    const state = await load(log, competitor, id)
    if (state.status !== 'tracked') return DONE
    const now = clock.now()
    // A rebuild of the read model also recreates the agenda row, so it may come up early.
    const due = state.lookedAt === undefined ? now : Date.parse(state.lookedAt) + LOOK_EVERY_MS
    if (due > now) return park(due)

    const fail = async (error: string, again: number) => {
      await handle(deps, competitor, id, causedBy(id, derivedId(token, 'failed')), (of) => failLook(of, error))
      return park(again)
    }
    const since = isoTime(now - RECENT_MS)
    const looked = await askAbout(deps, { ...state, isScheduled: true }, signal, (competitors, source, io) =>
      competitors.look(source, state.externalId, since, io),
    )
    if (looked.outcome === 'resting') return park(looked.until)
    if (looked.outcome === 'failed') return fail(looked.error, looked.again)
    if (!looked.value) return fail(goneFrom(state), now + LOOK_EVERY_MS)

    const look = lookOf(looked.value, looked.accountId, now)
    // Concurrent looks share this command id, so only one is recorded.
    const cause = causedBy(id, derivedId('competitor-look', id, state.addedAt, state.lookedAt ?? ''))
    try {
      await handle(deps, competitor, id, cause, (of) => recordLook(of, look))
    } catch (error) {
      // E.g. a number out of range.
      if (!(error instanceof Refusal)) throw error
      return fail(`The data from ${state.platform} could not be saved: ${error.message}`, now + LOOK_EVERY_MS)
    }
    return DONE
  }
}

function lookOf({ handle, label, recent, ...facts }: CompetitorFacts, accountId: string, now: number): CompetitorLook {
  const { followers, posts, views } = facts
  const names = { handle: asText(handle, LONGEST_HANDLE), label: asText(label, LONGEST_LABEL) }
  return { accountId, ...names, followers, posts, views, ...recentFigures(recent, now) }
}

function goneFrom({ platform, handle }: TrackedCompetitor): string {
  return `${platform} no longer has ${handle}: the account was deleted or suspended. It is checked once a day until you remove it.`
}

function causedBy(id: string, commandId: string): Cause {
  return { commandId, actor: { kind: 'reactor', id: 'competitor' }, correlationId: id }
}
