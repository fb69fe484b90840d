import { isDeepStrictEqual } from 'node:util'
import { belongingTo } from '../../../domain/log/belonging.ts'
import { CATEGORIES } from '../../../domain/log/event-kinds.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { streamName, type RecordedEvent } from '../../../domain/core/event.ts'
import { workspace } from '../../../domain/workspace/workspace.ts'
import { EventTooLarge, START, type EventLog } from '../../../event-log/event-log.ts'
import { encoded } from '../../../event-log/limits.ts'
import { wrongWith } from '../audit-log.ts'
import { withoutSecrets } from './arrival.ts'
import { contentOf, itemsOf, wrong, type End, type Header } from './format.ts'

/** How long a stream is in the file, and how much of it the log already has. */
export interface StreamPlan {
  length: number
  there: number | undefined
}

/** A file that can be imported. */
export interface Checked {
  readonly header: Header
  readonly end: End
  readonly streams: ReadonlyMap<string, StreamPlan>
}

/** Lines per lookup of their streams. */
const AT_ONCE = 200
/** In JSON: U+0000, or half of a surrogate pair. Read models cannot store either, and would halt at it. */
const NO_CHARACTER = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

interface Met {
  readonly line: number
  readonly event: RecordedEvent
}

/**
 * Reads a whole file and checks it against itself and against the target log. Writes nothing.
 *
 * @param begin called with the header before anything else; throws if the file does not belong here
 * @param meet called with each event, and its position in the log if it is already there
 * @throws Refusal naming the line and what is wrong with it, or the first event that differs from the log
 */
export async function checked(
  log: EventLog,
  source: AsyncIterable<Uint8Array>,
  begin: (header: Header) => Promise<void>,
  meet: (event: RecordedEvent, there: bigint | undefined) => void,
): Promise<Checked> {
  const streams = new Map<string, StreamPlan>()
  const isEmpty = await hasNothing(log)
  let header: Header | undefined
  let end: End | undefined
  let belongs: (event: RecordedEvent) => boolean = () => true
  let last = START
  let waiting: Met[] = []
  const settle = async () => {
    const found = isEmpty ? new Map<string, RecordedEvent>() : await foundIn(log, waiting, streams, header)
    for (const { event } of waiting) meet(event, found.get(nameOf(event))?.position)
    waiting = []
  }
  for await (const item of itemsOf(source)) {
    if (item.kind === 'header') {
      header = item.header
      if (header.workspace) belongs = belongingTo(header.workspace.id)
      await begin(header)
    } else if (item.kind === 'event') {
      const { line, event } = item
      checkEvent(line, event, streams.get(event.stream)?.length ?? 0)
      if (!belongs(event)) throw wrong(line, `${event.stream} does not belong to the exported workspace`)
      if (header?.workspace && namesAnother(event, header.workspace.id)) {
        throw wrong(line, `data.workspaceId: ${event.type} names a workspace other than the exported one`)
      }
      if (event.position <= last) throw wrong(line, `position ${event.position} is not after ${last}`)
      last = event.position
      const plan = streams.get(event.stream) ?? { length: 0, there: isEmpty ? 0 : undefined }
      streams.set(event.stream, plan)
      plan.length += 1
      waiting.push(item)
      if (waiting.length === AT_ONCE) await settle()
    } else end = item.end
  }
  await settle()
  if (header && end) {
    checkItself(header, streams)
    return { header, end, streams }
  }
  throw new Refusal('invalid_request', 'The file has no header.')
}

function checkEvent(line: number, event: RecordedEvent, expected: number): void {
  const { stream, revision, type } = event
  if (revision !== expected) {
    throw wrong(
      line,
      `revision: ${stream} continues with revision ${expected}, not ${revision}: a line is duplicated or missing`,
    )
  }
  const fault = wrongWith(event)
  if (fault !== undefined) throw wrong(line, fault)
  try {
    const [json] = encoded([event])
    if (NO_CHARACTER.test(`${json?.data} ${json?.metadata}`)) {
      throw wrong(line, `${type} contains the character U+0000, or half of a surrogate pair`)
    }
  } catch (error) {
    throw error instanceof EventTooLarge ? wrong(line, `${type}: ${error.message}`) : error
  }
}

/** The first event of a stream names its workspace; a later one must not name another. */
function namesAnother({ data }: RecordedEvent, workspaceId: string): boolean {
  const { workspaceId: named }: { workspaceId?: unknown } = data
  return named !== undefined && named !== workspaceId
}

/** Anyone who writes a file can name any workspace, but only its own exports contain its creation. */
function checkItself({ workspace: of }: Header, streams: ReadonlyMap<string, StreamPlan>): void {
  if (!of || streams.has(streamName(workspace, of.id))) return
  const missing = `The file names workspace ${of.id}, but does not contain its creation`
  throw new Refusal('invalid_request', `${missing}: export it again with fanfare export --workspace.`)
}

async function hasNothing(log: EventLog): Promise<boolean> {
  for await (const delivery of log.subscribe(START, { categories: CATEGORIES, batchSize: 1 })) {
    return delivery.kind === 'caught-up'
  }
  return true
}

/** The events that are already in the log, by name. Also records how far the log has their streams. */
async function foundIn(
  log: EventLog,
  met: readonly Met[],
  streams: Map<string, StreamPlan>,
  header: Header | undefined,
): Promise<ReadonlyMap<string, RecordedEvent>> {
  const asked = new Map<string, number>()
  for (const { event } of met) {
    const { there } = streams.get(event.stream) ?? {}
    const isOpen = there === undefined || event.revision < there
    if (isOpen && !asked.has(event.stream)) asked.set(event.stream, event.revision)
  }
  const found = new Map<string, RecordedEvent>()
  await Promise.all(
    [...asked].map(async ([stream, from]) => {
      const events = await log.read(stream, from)
      const plan = streams.get(stream)
      if (plan) plan.there = from + events.length
      for (const event of events) found.set(nameOf(event), event)
    }),
  )
  for (const { line, event } of met) {
    const stands = found.get(nameOf(event))
    if (!stands) continue
    const known = header?.workspace ? withoutSecrets(stands) : stands
    if (!isDeepStrictEqual(contentOf(known), contentOf(event))) throw conflict(line, event, stands)
  }
  return found
}

function conflict(line: number, { stream, revision }: RecordedEvent, { type, metadata }: RecordedEvent): Refusal {
  const stands = `${stream} has another event at revision ${revision} here: ${type} of ${metadata.at}`
  return new Refusal('failed_precondition', `line ${line}: ${stands}. Nothing was written.`)
}

function nameOf({ stream, revision }: RecordedEvent): string {
  return `${revision} ${stream}`
}
