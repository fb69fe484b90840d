import type { HealthChecks } from '../../api/ops/health.ts'
import { CATEGORIES } from '../../domain/log/event-kinds.ts'
import type { EventLog } from '../../event-log/event-log.ts'
import type { Core } from './core.ts'
import { progressOf } from '../../projections/engine/tables.ts'
import { FAN_OUT } from '../../reactors/webhooks/fan-out.ts'
import { waitingSince } from '../../reactors/runtime/follower-checkpoint.ts'
import { holdsOf } from '../../infra/postgres/holds.ts'
import type { NatsSlots } from '../../reactors/runtime/nats-slots.ts'
import { RESTORED } from '../../infra/postgres/restores.ts'

/** Longer than any check should take (ms). */
const CHECK_TIMEOUT_MS = 2_000
/** Read models this far (ms) behind the log mean that no projector is running. */
const BEHIND_MS = 60_000
/** Due work that nobody has leased for this long (ms) means that no worker is running. */
const OVERDUE_MS = 60_000
/**
 * An event not fanned out to webhooks for this long (ms) means that nothing follows the log, or that an event cannot be handled.
 */
const MAX_FAN_OUT_LAG_MS = 60_000

/** The checks of `/readyz`: the log, the database, the read models, the agenda, the fan-out to webhooks and the hints. */
export function healthChecks({ log, db, clock }: Pick<Core, 'log' | 'db' | 'clock'>, nats?: NatsSlots): HealthChecks {
  const within = async <T>(check: Promise<T>): Promise<T> => {
    const timeout = clock.sleep(CHECK_TIMEOUT_MS).then((): never => {
      throw new Error(`no response within ${CHECK_TIMEOUT_MS / 1000} s`)
    })
    return Promise.race([check, timeout])
  }
  const projections = async () => {
    const { position, halted } = await progressOf(db)
    const reasons = Object.entries(halted).map(([name, reason]) => `${name} halted at ${reason}`)
    if (reasons.length > 0) throw new Error(reasons.join('; '))
    const next = await timeOfNext(log, position)
    const behindMs = next === undefined ? 0 : Math.max(0, clock.now() - next)
    if (behindMs > BEHIND_MS)
      throw new Error(`the read models are ${seconds(behindMs)} behind; is a projector running?`)
    return { behindMs }
  }
  const agenda = async () => {
    const [hold] = await holdsOf(db)
    if (hold?.name === RESTORED) {
      throw new Error(`nothing has been sent since ${hold.since}: the log was restored; see fanfare restore status`)
    }
    if (hold && clock.now() - Date.parse(hold.since) > OVERDUE_MS) {
      throw new Error(
        `nothing has been done since ${hold.since}: "${hold.name}" is running or was interrupted; run it again`,
      )
    }
    const { rows } = await db.query<{ kind: string; due: number; oldest: string; working: boolean }>(
      `select kind, count(*)::int as due, min(greatest(due_at, lease_until)) as oldest,
         exists (select from read.agenda where lease_token is not null and lease_until >= $1) as working
       from read.agenda where due_at < $1 and (lease_until is null or lease_until < $1) group by kind order by kind`,
      [new Date(clock.now())],
    )
    const waiting = rows.map(({ kind, due, oldest }) => ({ kind, due, ms: clock.now() - Date.parse(oldest) }))
    const due = waiting.reduce((sum, one) => sum + one.due, 0)
    const overdueMs = Math.max(0, ...waiting.map(({ ms }) => ms))
    // Rows of a busy account wait for their turn; that is expected.
    if (overdueMs > OVERDUE_MS && !rows[0]?.working) {
      throw new Error(`${due} rows are due, the oldest for ${seconds(overdueMs)}; is a reactor running?`)
    }
    return { due, overdueMs, ...Object.fromEntries(waiting.map(({ kind, ms }) => [`${kind}OverdueMs`, ms])) }
  }
  const webhooks = async () => {
    const since = await waitingSince({ db, log }, FAN_OUT)
    const behindMs = since === undefined ? 0 : Math.max(0, clock.now() - since)
    if (behindMs > MAX_FAN_OUT_LAG_MS)
      throw new Error(`the fan-out of events is ${seconds(behindMs)} behind; is a reactor running?`)
    return { behindMs }
  }
  return {
    log: () => within(log.ping().then(() => ({}))),
    database: () => within(db.query('select 1').then(() => ({}))),
    projections: () => within(projections()),
    agenda: () => within(agenda()),
    webhooks: () => within(webhooks()),
    ...(nats && {
      hints: async () => {
        if (!nats.connected()) throw new Error('NATS is not connected; each process takes its own work')
        return {}
      },
    }),
  }
}

/** The time of the event after a position (Unix ms); `undefined` if there is none. */
export async function timeOfNext(log: EventLog, position: bigint): Promise<number | undefined> {
  for await (const delivery of log.subscribe(position, { categories: CATEGORIES, batchSize: 1 })) {
    return delivery.kind === 'events' ? Date.parse(delivery.events[0]?.metadata.at ?? '') : undefined
  }
  return undefined
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`
}
