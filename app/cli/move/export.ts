import type { Database } from '../../../infra/postgres/pool.ts'
import { belongingTo } from '../../../domain/log/belonging.ts'
import { CATEGORIES } from '../../../domain/log/event-kinds.ts'
import { START } from '../../../event-log/event-log.ts'
import type { Core } from '../../wiring/core.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { installationOf } from './installation.ts'
import { FORMAT, lineWriter, type Header } from './format.ts'
import { withoutSecrets } from './arrival.ts'

export interface Exported {
  readonly events: number
  readonly streams: number
  /** The position of the last event read. */
  readonly position: string
}

/** Dependencies of an export. */
export type ExportDeps = Pick<Core, 'log' | 'clock'> & {
  readonly db: Database
  /** The version of the service. */
  readonly version: string
  readonly logKind: Header['log']
}

/** Events per batch: at most 256 KiB each are held in memory. */
const BATCH = 500

/**
 * The lines of an export, of a workspace or of the whole log. Writers may continue meanwhile; everything that existed at the
 * start is included.
 *
 * @param done called with what was exported, before the last line
 * @param progress called with the number of events so far
 */
export async function* exported(
  deps: ExportDeps,
  workspace: { readonly id: string; readonly name: string } | undefined,
  done: (exported: Exported) => void,
  progress: (events: number) => void = () => undefined,
): AsyncGenerator<string> {
  const { db, log, clock, version, logKind } = deps
  const lines = lineWriter()
  const installation = await installationOf(db)
  const at = isoTime(clock.now())
  yield lines.header({ format: FORMAT, version, installation, log: logKind, workspace: workspace ?? null, at })

  const belongs = workspace ? belongingTo(workspace.id) : () => true
  const streams = new Set<string>()
  let [events, position] = [0, START]
  for await (const delivery of log.subscribe(START, { categories: CATEGORIES, batchSize: BATCH })) {
    if (delivery.kind === 'caught-up') break
    let text = ''
    for (const event of delivery.events) {
      position = event.position
      if (!belongs(event)) continue
      events += 1
      streams.add(event.stream)
      text += lines.event(workspace ? withoutSecrets(event) : event)
    }
    if (text !== '') yield text
    progress(events)
  }
  const end = { events, streams: streams.size, position: String(position) }
  done(end)
  yield lines.end(end)
}
