import { Refusal } from '../../domain/core/errors.ts'
import type { Core } from '../wiring/core.ts'
import { projections } from '../../projections/models/index.ts'
import type { AnyProjection } from '../../projections/engine/projection.ts'
import { rebuild, type Rebuilt, type Stage } from '../../projections/rebuild/rebuild.ts'
import { buildInThreads } from '../../projections/rebuild/threads.ts'
import { MOST_COUNTED, statusOf, type ReadModelStatus } from '../../projections/engine/status.ts'
import { columns } from './output.ts'
import type { ProgressBar } from './progress-bar.ts'

/** The result of rebuilding one read model, as the command line shows it. */
export interface RebuiltView extends Omit<Rebuilt, 'different'> {
  readonly different?: readonly string[]
  readonly seconds: number
}

const STAGES = {
  indexing: 'building indexes',
  comparing: 'comparing with the live tables',
  switching: 'replacing the tables',
} as const

/** The named read models; all if no names are given. */
function named(names: readonly string[]): readonly AnyProjection[] {
  return names.length === 0 ? projections : projections.filter(({ name }) => names.includes(name))
}

/** Rebuilds read models; `signal` interrupts it where it can be resumed. */
export async function rebuildProjections(
  core: Pick<Core, 'settings' | 'connectionString' | 'wholeTables' | 'log' | 'projector' | 'clock' | 'ring'>,
  names: readonly string[],
  options: { readonly restart?: boolean; readonly replace?: boolean; readonly threads?: number },
  { bar, signal }: { readonly bar: ProgressBar; readonly signal: AbortSignal },
): Promise<readonly RebuiltView[]> {
  const { settings, connectionString, wholeTables: db, log, projector, clock, ring } = core
  const masterKeys = ring.keys().map(({ key }) => key.toString('base64'))
  const share = { connectionString, eventStoreUrl: settings.EVENTSTORE_URL, masterKeys }
  const inThreads = buildInThreads(log, share, options)
  const began = clock.now()
  const progress = (stage: Stage) => {
    if (stage.stage === 'reading') bar.show(Number(stage.position + 1n), Number(stage.head + 1n), stage.events)
    else if (stage.stage === 'going on without threads') bar.tell(`continuing without threads: ${stage.why}`)
    else bar.tell(STAGES[stage.stage])
  }
  try {
    const rebuilt = await rebuild({ db, log, projector, clock, signal, progress, inThreads }, named(names), options)
    const seconds = Math.round((clock.now() - began) / 100) / 10
    return rebuilt.map(({ different, ...one }) => ({ ...one, ...(different.length > 0 && { different }), seconds }))
  } catch (error) {
    if (!signal.aborted) throw error
    throw new Refusal(
      'failed_precondition',
      'Stopped. Run the same command to continue from here; --restart starts over.',
    )
  } finally {
    bar.end()
  }
}

/** A table with one line per read model, followed by the differences. */
export function rebuiltTable(rebuilt: readonly RebuiltView[]): string {
  const header = ['projection', 'events', 'rows', 'checksum', 'compared', 'now']
  const rows = rebuilt.map(({ projection, events, rows, checksum, compared, now }) => [
    ...[projection, String(events), String(rows), checksum, compared, now],
  ])
  const differences = rebuilt.flatMap(({ projection, different, now }) =>
    different
      ? [`${projection} differs at ${different.join(', ')}${now === 'live' ? '' : '; --replace replaces it anyway'}`]
      : [],
  )
  return [columns([header, ...rows]), ...differences, `${rebuilt[0]?.seconds ?? 0} s`].join('\n')
}

export function projectionStatus(core: Pick<Core, 'db' | 'log' | 'clock'>): Promise<ReadModelStatus> {
  return statusOf(core, projections)
}

/** Whether every read model is of this version and none has halted. */
export function isSound(status: ReadModelStatus): boolean {
  return status.projections.every(({ version, halted }) => version === 'current' && halted === null)
}

/** A table with one line per read model. */
export function statusTable({ head, projections }: ReadModelStatus): string {
  const rows = projections.map(({ projection, position, behind, lagMs, version, rebuilt, halted }) => [
    projection,
    position,
    behind >= MOST_COUNTED ? `${behind} or more` : String(behind),
    `${(lagMs / 1000).toFixed(1)} s`,
    version,
    rebuilt === null ? '-' : `${Math.floor(rebuilt * 100)} %`,
    halted === null ? '' : `halted at ${halted}`,
  ])
  const header = ['projection', 'position', 'behind', 'lag', 'version', 'rebuilt', '']
  return `The log ends at ${head}.\n${columns([header, ...rows])}`
}
