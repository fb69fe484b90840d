import type { WorkKind } from '../../projections/agenda/agenda.ts'
import type { LeasedRow, Leases } from '../../reactors/runtime/leases.ts'
import type { Reactor } from '../../reactors/runtime/reactor.ts'
import { stopwatch } from '../../infra/runtime/stopwatch.ts'
import { lifeOfWork } from './life.ts'
import type { Watch } from './watch.ts'

export type Reactors = Readonly<Record<WorkKind, Reactor>>

/** The reactors, with each piece of work counted, timed, traced and logged. */
export function watchedReactors(reactors: Reactors, watch: Watch): Reactors {
  const watched = Object.entries(reactors).map(([kind, reactor]) => [kind, watchedReactor(reactor, watch)])
  return Object.fromEntries(watched) as Reactors
}

function watchedReactor(reactor: Reactor, { meter, tracing, logger, clock }: Watch): Reactor {
  return (row, signal, slot) => {
    const { kind, subject } = row
    const attributes = { 'fanfare.work.kind': kind, 'fanfare.work.subject': subject, 'fanfare.work.due_at': row.dueAt }
    return tracing.work({ name: `work ${kind}`, life: lifeOfWork(row), attributes }, async (span) => {
      const took = stopwatch()
      const late = Math.max(0, clock.now() - Date.parse(row.dueAt)) / 1000
      const ended = (outcome: string): void => {
        meter.count('fanfare_work_total', { kind, outcome })
        meter.observe('fanfare_work_seconds', { kind }, took())
        span.set({ 'fanfare.outcome': outcome })
        logger.debug({ kind, subject, outcome, durationMs: Math.round(took() * 1000) }, 'worked')
      }
      try {
        const result = await reactor(row, signal, slot)
        ended(result.kind === 'park' ? 'parked' : 'done')
        if (kind === 'schedule' && result.kind === 'done') meter.observe('fanfare_schedule_late_seconds', {}, late)
        return result
      } catch (error) {
        ended(signal.aborted ? 'given_back' : 'interrupted')
        throw error
      }
    })
  }
}

/** The leases, with lost ones counted. */
export function watchedLeases(leases: Leases, { meter }: Watch): Leases {
  return {
    ...leases,
    extend: async (row: LeasedRow, now) => {
      const held = await leases.extend(row, now)
      if (!held) meter.count('fanfare_leases_lost_total', { kind: row.kind })
      return held
    },
  }
}
