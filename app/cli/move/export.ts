import type { Database } from '../../../infra/postgres/pool.ts'
import { belongingTo } from '../../../domain/log/belonging.ts'
import { CATEGORIES } from '../../../domain/log/event-kinds.ts'
import { START } from '../../../event-log/event-log.ts'
import type { Core } from '../../main.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { installationOf } from './installation.ts'
import { FORMAT, lineWriter, type Header } from './format.ts'
import { withoutSecrets } from './arrival.ts'

export interface Exported {
  readonly events: number
  readonly streams: number
  /** Of the last event that was read. */
  readonly position: string
}

/** What an export needs. */
export type ExportDeps = Pick<Core, 'log' | 'clock'> & {
  readonly db: Database
  /** Of the service. */
  readonly version: string
  readonly logKind: Header['log']
}

/** Events that are read in one go: at most 256 KiB each are held. */
const BATCH = 500

/**
 * The lines of an export: of a workspace, or of all of the log. Others may write meanwhile; all that was there when it
 * began is in it.
 *
 * @param done is told what was exported, before the last line
 * @param progress is told how many events are in it so far
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
