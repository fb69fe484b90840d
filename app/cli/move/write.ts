import { Refusal } from '../../../domain/core/errors.ts'
import type { NewEvent, RecordedEvent } from '../../../domain/core/event.ts'
import { LogUnavailable, RevisionConflict, type EventLog } from '../../../event-log/event-log.ts'
import { encoded } from '../../../event-log/limits.ts'
import type { Clock } from '../../../infra/runtime/clock.ts'
import type { Checked } from './check.ts'
import { itemsOf } from './format.ts'
import { gatherWindow, type Append } from './windows.ts'

/** How often, and with which delay (ms), to retry while the log is unreachable. */
const TRIES = 10
const AGAIN_MS = 1_000

/**
 * Writes what the log does not have yet, in an order that keeps causes before their effects.
 *
 * @param following what to write together with the last event of a stream
 * @param milestones positions in the source log: everything up to one is written before anything after it
 * @param written called with each append and the position of its last event in the log
 * @throws Refusal failed_precondition if another process has written to one of the streams meanwhile
 */
export async function write(
  deps: { readonly log: EventLog; readonly clock: Clock },
  source: AsyncIterable<Uint8Array>,
  { streams }: Checked,
  following: (event: RecordedEvent) => readonly NewEvent[],
  milestones: readonly bigint[],
  written: (append: Append, position: bigint) => void,
): Promise<void> {
  const window = gatherWindow()
  const flush = async () => {
    const appends = window.empty()
    const done = await Promise.allSettled(appends.map((one) => append(deps, one)))
    done.forEach((outcome, index) => {
      const one = appends[index]
      if (outcome.status === 'rejected') throw outcome.reason
      if (one) written(one, outcome.value)
    })
  }
  let last = -1n
  for await (const item of itemsOf(source)) {
    if (item.kind !== 'event') continue
    const { event } = item
    if (event.revision < (streams.get(event.stream)?.there ?? 0)) continue
    const size = encoded([event]).reduce((sum, { bytes }) => sum + bytes, 0)
    const passes = milestones.some((milestone) => last <= milestone && milestone < event.position)
    const next = following(event)
    if (passes || !window.take(event, size, next)) {
      await flush()
      window.take(event, size, next)
    }
    last = event.position
  }
  await flush()
}

/** @returns the position of the last event */
export async function append(
  { log, clock }: { readonly log: EventLog; readonly clock: Clock },
  { stream, revision, events }: Append,
): Promise<bigint> {
  for (let tries = 1; ; tries += 1) {
    try {
      return (await log.append(stream, events, revision - 1)).position
    } catch (error) {
      if (error instanceof RevisionConflict) {
        const gone = `Another process wrote to ${stream} during the import: it is at revision ${error.actual}`
        throw new Refusal('failed_precondition', `${gone}, not at ${error.expected}.`)
      }
      if (!(error instanceof LogUnavailable) || tries === TRIES) throw error
      await clock.sleep(AGAIN_MS)
    }
  }
}
