import type { ClientBase, Pool } from 'pg'
import { sqlState } from '../../infra/postgres/errors.ts'
import { transaction } from '../../infra/postgres/pool.ts'
import { atMost, type Clock } from '../../infra/runtime/clock.ts'
import { checkpointsIn, type Checkpoint } from '../engine/checkpoints.ts'
import type { AnyProjection } from '../engine/projection.ts'
import { LAYOUT_LOCK } from '../engine/tables.ts'
import { versionOf } from '../engine/version.ts'
import type { Builder } from './builder.ts'

/** How long (ms) each step may wait. Less than the second after which Postgres ends a reader that is in each other's way. */
const PATIENCE_MS = { vacuum: 10_000, writers: 500, readers: 300, process: 5_000 }
/** How long (ms) writers may be held up for the last events. */
const LAST_EVENTS_MS = 2_000
/** How often what has come in meanwhile is applied before the locks are taken, if it still takes a good part of that. */
const APPROACHES = 20
const TRIES = 100
const RETRY_DELAY_MS = 200
/** A lock or a statement took too long, or two waited for each other. */
const TRY_AGAIN = new Set(['57014', '55P03', '40P01'])

class Moved extends Error {}

/**
 * Puts the tables beside into the places of the live ones, in one transaction. They are brought near them; then only who
 * writes is held up, and the last events are applied; then, for the moment of the exchange, also who reads. Should this process be stopped amid it,
 * the server ends the transaction after `PATIENCE_MS.process`.
 *
 * @param together those of them whose live tables are in step with the log, and keep their position
 * @returns false when the live tables are not as they were when that was decided; nothing was done then
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

/** To compare long tables takes minutes: nobody may be held up for the events of these. */
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
  await client.query('select pg_advisory_xact_lock($1)', [LAYOUT_LOCK])
  // In nobody's way but a vacuum's, which gives way after a second.
  await client.query(`lock table ${tables} in share update exclusive mode`)
  await patience(PATIENCE_MS.writers)
  // In the order in which a projector's statement takes them.
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

/** Columns that no event sets, of rows that are as they were. */
async function carryOver(client: ClientBase, { name, columns, operational = {} }: AnyProjection): Promise<void> {
  const carried = Object.keys(operational)
  if (carried.length === 0) return
  const row = (table: string) =>
    Object.entries(columns).map(([column, type]) => `${table}.${column}${type === 'json' ? '::text' : ''}`)
  await client.query(
    `update read_next.${name} as next set ${carried.map((column) => `${column} = live.${column}`).join(', ')}
     from read.${name} as live
     where live.id = next.id and (${carried.map((column) => `live.${column} is not null`).join(' or ')})
       and (${row('live').join(', ')}) is not distinct from (${row('next').join(', ')})`,
  )
}
