import { load } from '../../../commands/handle.ts'
import { transaction, type Database } from '../../../infra/postgres/pool.ts'
import { account } from '../../../domain/account/account.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { streamName, type Actor } from '../../../domain/core/event.ts'
import { START, type EventLog } from '../../../event-log/event-log.ts'
import { beginTree } from '../../../event-log/tree/tree-store.ts'
import type { Core } from '../../wiring/core.ts'
import { projections } from '../../../projections/models/index.ts'
import type { Projector } from '../../../projections/engine/projector.ts'
import { resetTables } from '../../../projections/engine/tables.ts'
import { liftHold, placeHold } from '../../../infra/postgres/holds.ts'
import { arrivals } from './arrival.ts'
import { checked, type Checked, type StreamPlan } from './check.ts'
import { followerPlaces } from './follower-places.ts'
import type { Header } from './format.ts'
import { importHold, importUnderWay, WHOLE_LOG } from './import-hold.ts'
import { installationOf, postgresHead, processesAt } from './installation.ts'
import { append, write } from './write.ts'

export type ImportDeps = Pick<Core, 'log' | 'clock'> & {
  readonly db: Database
  readonly projector: Pick<Projector, 'catchUp'>
  readonly logKind: Header['log']
  readonly actor: Actor
}

export interface Imported {
  /** What was imported: a workspace's id, or `all`. */
  readonly of: string
  readonly events: number
  readonly streams: number
  /** Excludes events that were already there. Includes those added on arrival. */
  readonly written: number
  /** The accounts that must be reconnected. */
  readonly toConnect: readonly string[]
}

/**
 * Imports the events of a file into the log. It may be repeated: existing events are skipped, and an interrupted import resumes
 * where it stopped. From its first write to its end all automatic work is on hold (`infra/postgres/holds.ts`), because half of a
 * post's history would have it published again.
 *
 * @param open reads the file from its start; it is read twice
 * @param progress called with the number of events checked or written so far
 * @throws Refusal naming what is wrong; nothing was written in that case, unless it says so
 */
export async function importFile(
  deps: ImportDeps,
  open: () => AsyncIterable<Uint8Array>,
  options: { readonly dryRun?: boolean } = {},
  progress: (what: 'checked' | 'written', events: number) => void = () => undefined,
): Promise<Imported> {
  const { db, log, clock, projector } = deps
  const arriving = arrivals(clock.now(), deps.actor)
  const places = await followerPlaces(db)
  let met = 0
  const file = await checked(
    log,
    open(),
    (header) => checkScope(deps, header),
    (event, there) => {
      arriving.meet(event)
      if (there !== undefined) places.reach(event.position, there)
      progress('checked', (met += 1))
    },
  )
  const { header, end, streams } = file
  await checkWhole(deps, file)
  const hold = importHold(header, end)
  const isHeld = await isBegun(deps, hold)
  const isMove = header.workspace !== null
  const following = (stream: string) => (isMove ? arriving.after(stream, streams.get(stream)?.length ?? 0) : [])
  const pending = isMove ? arriving.streams().filter((stream) => isPending(streams.get(stream))) : []
  const more = pending.reduce((sum, stream) => sum + following(stream).length, 0)
  const missing = [...streams.values()].reduce((sum, { length, there = 0 }) => sum + Math.max(0, length - there), 0)
  const done: Imported = {
    ...{
      of: header.workspace?.id ?? WHOLE_LOG,
      events: end.events,
      streams: end.streams,
      written: missing + more,
    },
    toConnect: isMove ? await waitingIn(log, streams, arriving.waiting()) : [],
  }
  if (options.dryRun || (done.written === 0 && !isHeld)) return done

  await placeHold(db, hold)
  if (!isHeld) await mustBeAlone(deps, hold)
  // Their rows refer to positions of the other log.
  if (!isMove) await resetTables(db, projections)
  let written = 0
  await write(
    deps,
    open(),
    file,
    ({ stream, revision }) => (revision + 1 === streams.get(stream)?.length ? following(stream) : []),
    isMove ? [] : places.milestones,
    ({ from, events }, position) => {
      places.reach(from, position)
      progress('written', (written += events.length))
    },
  )
  for (const stream of pending) {
    const { length, there } = streams.get(stream) ?? {}
    const events = [...following(stream)]
    if (length !== undefined && length === there) await append(deps, { stream, revision: length, events, from: START })
  }
  await projector.catchUp()
  await transaction(db, async (client) => {
    if (!isMove) {
      await places.move(client)
      // The personal data has other keys and salts now, and the events of different streams perhaps another order.
      await beginTree(client)
    }
    await liftHold(client, hold)
  })
  return done
}

/** The accounts that their owner has not reconnected here since an earlier import. */
async function waitingIn(
  log: EventLog,
  streams: ReadonlyMap<string, StreamPlan>,
  accounts: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const found = await Promise.all(
    [...accounts].map(async ([id, name]) => {
      const hasGoneOn = !isPending(streams.get(streamName(account, id)))
      const state = hasGoneOn ? await load(log, account, id) : account.initial
      const isConnected = state.status === 'connected' && state.needsReauth === undefined
      return isConnected ? [] : [`${name} (${id})`]
    }),
  )
  return found.flat()
}

/** Whether the stream has no events yet beyond those in the file. */
function isPending(plan: StreamPlan | undefined): boolean {
  return plan !== undefined && (plan.there ?? 0) <= plan.length
}

async function checkScope({ db }: ImportDeps, { workspace, installation }: Header): Promise<void> {
  const isOwn = installation === (await installationOf(db))
  if (workspace && isOwn) {
    throw new Refusal(
      'failed_precondition',
      `${workspace.name} was exported from this installation and is already here.`,
    )
  }
  if (workspace) return
  if (!isOwn) {
    const why = 'The file contains the whole log of another installation, whose credentials are not in this database.'
    throw new Refusal(
      'failed_precondition',
      `${why} Move its workspaces instead (fanfare export --workspace), or move its database too.`,
    )
  }
  if ((await processesAt(db)) > 1) {
    const why = 'Another process of the service is using this database'
    throw new Refusal('failed_precondition', `${why}: stop all processes while the log is being moved.`)
  }
}

/** The log that is left behind must not have grown since: its additional events would be lost. */
async function checkWhole({ db, logKind }: ImportDeps, { header, end }: Checked): Promise<void> {
  if (header.workspace || header.log !== 'postgres' || logKind === 'postgres') return
  const head = await postgresHead(db)
  if (head === undefined || head === end.position) return
  const went = `The log in Postgres has grown to position ${head} since the export, which ends at ${end.position}`
  throw new Refusal('failed_precondition', `${went}: stop the service and export it again.`)
}

/** If two imports started at the same moment and both died, each would wait for the other. */
async function mustBeAlone(deps: ImportDeps, own: string): Promise<void> {
  try {
    await isBegun(deps, own)
  } catch (error) {
    await liftHold(deps.db, own)
    throw error
  }
}

async function isBegun({ db }: ImportDeps, own: string): Promise<boolean> {
  const begun = await importUnderWay(db)
  if (begun && begun.hold !== own) {
    const file = `SHA-256 ${begun.sha256} in its last line`
    const again = `run it again first, with the file that has ${file}`
    const abandon = begun.of === WHOLE_LOG ? '' : `, or abandon it: fanfare import --abandon ${begun.of}`
    throw new Refusal(
      'failed_precondition',
      `Another import was started at ${begun.since} and not finished: ${again}${abandon}.`,
    )
  }
  return begun !== undefined
}
