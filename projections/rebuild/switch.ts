import type { ClientBase, Pool } from 'pg'
import { LOCK_NOT_AVAILABLE, sqlState } from '../../infra/postgres/errors.ts'
import { LOCKS } from '../../infra/postgres/locks.ts'
import { transaction } from '../../infra/postgres/pool.ts'
import { atMost, type Clock } from '../../infra/runtime/clock.ts'
import { checkpointsIn, type Checkpoint } from '../engine/checkpoints.ts'
import { columnName } from '../engine/columns.ts'
import type { AnyProjection } from '../engine/projection.ts'
import { versionOf } from '../engine/version.ts'
import type { Builder } from './builder.ts'

/**
 * How long (ms) each step may wait. For writers and readers, less than the second after which Postgres resolves a deadlock by
 * ending one side's statement, which could be theirs.
 */
const PATIENCE_MS = { vacuum: 10_000, writers: 500, readers: 300, process: 5_000 }
/** How long (ms) writers may be blocked while the last events are applied. */
const LAST_EVENTS_MS = 2_000
/** The most rounds of applying new events before the locks are taken, while a round takes a good part of LAST_EVENTS_MS. */
const APPROACHES = 20
const TRIES = 100
const RETRY_DELAY_MS = 200
/** Statement timeout, lock timeout, and deadlock. */
const TRY_AGAIN = new Set(['57014', LOCK_NOT_AVAILABLE, '40P01'])

class Moved extends Error {}

/**
 * Replaces the live tables with those beside them in one transaction. First catches up without locks, then blocks writers while
 * the last events are applied, and finally blocks readers for the moment of the switch. If this process hangs meanwhile, the
 * server ends the transaction after `PATIENCE_MS.process`.
 *
 * @param together names of those whose live tables are at one position, which the new tables must reach
 * @returns false when the live tables have changed since the decision; nothing was done then
 * @throws when readers or writers leave no gap
 */
export async function switchOver(
  deps: { readonly db: Pool; readonly builder: Builder; readonly clock: Clock; readonly signal: AbortSignal },
  projections: readonly AnyProjection[],
  together: ReadonlySet<string>,
): Promise<boolean> {
  const { db, clock, signal } = deps
  for (let tries = 1; ; tries += 1) {
    try {
      await approach(deps, together)
      await transaction(db, (client) => exchange(client, deps, projections, together))
      return true
    } catch (error) {
      if (error instanceof Moved) return false
      if (!TRY_AGAIN.has(sqlState(error) ?? '') || tries === TRIES || signal.aborted) throw error
      await clock.sleep(RETRY_DELAY_MS, signal)
    }
  }
}

/** Comparing long tables takes minutes: the events of that time are applied before writers are blocked. */
async function approach(
  { db, builder, clock, signal }: Parameters<typeof switchOver>[0],
  together: ReadonlySet<string>,
): Promise<void> {
  for (let count = 0; count < APPROACHES && !signal.aborted; count += 1) {
    const began = clock.now()
    const live = await checkpointsIn(db, 'read')
    const [position, ...others] = new Set([...together].map((name) => live.get(name)?.position))
    if (position === undefined || others.length > 0) return
    await builder.advance(position, signal)
    if (clock.now() - began < LAST_EVENTS_MS / 4) return
  }
}

async function exchange(
  client: ClientBase,
  { builder, clock }: { readonly builder: Builder; readonly clock: Clock },
  projections: readonly AnyProjection[],
  together: ReadonlySet<string>,
): Promise<void> {
  const names = projections.map(({ name }) => name)
  const tables = names.map((name) => `read.${name}`).join(', ')
  const patience = (ms: number) => client.query(`set local statement_timeout = ${ms}`)
  await client.query(`set local idle_in_transaction_session_timeout = ${PATIENCE_MS.process}`)
  await patience(PATIENCE_MS.vacuum)
  await client.query('select pg_advisory_xact_lock($1)', [LOCKS.layout])
  // Conflicts only with a vacuum, which gives way after a second.
  await client.query(`lock table ${tables} in share update exclusive mode`)
  await patience(PATIENCE_MS.writers)
  // The order in which a projector's statement takes its locks.
  await client.query(`lock table ${tables} in exclusive mode`)
  await client.query('select 1 from read.checkpoints where name = any($1) order by name for update', [names])
  await patience(PATIENCE_MS.process)

  await applyLastEvents(await checkpointsIn(client, 'read'), { builder, clock }, projections, together)
  for (const projection of projections) await carryOver(client, projection)
  await patience(PATIENCE_MS.readers)
  await client.query(`lock table ${tables} in access exclusive mode`)
  await patience(PATIENCE_MS.process)
  await client.query(`drop table ${tables}`)
  for (const name of names) await client.query(`alter table read_next.${name} set schema read`)
  await client.query(
    `update read.checkpoints as c
     set position = next.position, version = next.version, halted = null, generation = c.generation + 1
     from read_next.checkpoints as next where c.name = next.name and c.name = any($1)`,
    [names],
  )
  await client.query('delete from read_next.checkpoints where name = any($1)', [names])
}

async function applyLastEvents(
  live: ReadonlyMap<string, Checkpoint>,
  { builder, clock }: { readonly builder: Builder; readonly clock: Clock },
  projections: readonly AnyProjection[],
  together: ReadonlySet<string>,
): Promise<void> {
  if (projections.some((projection) => live.get(projection.name)?.version !== versionOf(projection))) throw new Moved()
  const inStep = [...together].map((name) => live.get(name))
  const [position, ...others] = new Set(inStep.map((checkpoint) => checkpoint?.position))
  if (others.length > 0 || inStep.some((checkpoint) => checkpoint?.halted !== null)) throw new Moved()
  if (position === undefined) return
  const tooLong = new AbortController()
  const reached = builder.advance(position, tooLong.signal)
  await atMost(clock, LAST_EVENTS_MS, reached)
  tooLong.abort()
  if ((await reached) !== position) throw new Moved()
}

/** Carries over the columns that no event sets, for rows that are unchanged. */
async function carryOver(client: ClientBase, { name, columns, operational = {} }: AnyProjection): Promise<void> {
  const carried = Object.keys(operational)
  if (carried.length === 0) return
  const row = (table: string) =>
    Object.entries(columns).map(
      ([field, { type }]) => `${table}.${columnName(field)}${type === 'json' ? '::text' : ''}`,
    )
  await client.query(
    `update read_next.${name} as next set ${carried.map((column) => `${column} = live.${column}`).join(', ')}
     from read.${name} as live
     where live.id = next.id and (${carried.map((column) => `live.${column} is not null`).join(' or ')})
       and (${row('live').join(', ')}) is not distinct from (${row('next').join(', ')})`,
  )
}
