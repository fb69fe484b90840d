import type { CommandDeps } from '../../commands/handle.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { UnreadableEvent, type RecordedEvent } from '../../domain/core/event.ts'

/** What a follower looks for in the log, and the name of its checkpoint. */
export interface Interest<T> {
  readonly name: string
  readonly categories: readonly string[]
  /** Maps an event to what the follower handles; undefined if the event does not concern it. */
  readonly select: (event: RecordedEvent) => T | undefined
}

/** Before the first event. */
const START = -1n
/** How many irrelevant events may follow the checkpoint, so that it does not move for each of them. */
export const MOST_PASSED = 200

/** The position (inclusive) up to which a follower has handled the log. A new one begins at the start. */
export async function checkpointOf(db: Database, name: string): Promise<bigint> {
  const { rows } = await db.query<{ position: string }>('select position from service.followers where name = $1', [
    name,
  ])
  return BigInt(rows[0]?.position ?? START)
}

/** Creates the checkpoint if there is none. */
export async function enrol(db: Database, name: string): Promise<void> {
  await db.query('insert into service.followers values ($1, $2) on conflict do nothing', [name, String(START)])
}

/**
 * Does not wait for the disk: after a database crash, the last events are handled again.
 *
 * @returns whether it was moved: another follower of the same name may have been faster
 */
export async function moveCheckpoint(db: Database, name: string, from: bigint, to: bigint): Promise<boolean> {
  const { rows } = await db.query({
    name: 'move follower',
    text: `with moved as (
      update service.followers set position = $3 where name = $1 and position = $2 returning true
    ) select set_config('synchronous_commit', 'off', true) from moved`,
    values: [name, String(from), String(to)],
  })
  return rows.length > 0
}

/**
 * What the follower handles of an event. One event that does not match its schema must not stop all those after it; one of a
 * newer version of Fanfare must, until a process of that version has handled it.
 *
 * @param skipped called with the reason why an event cannot be read
 * @throws UnreadableEvent for an event of a newer version
 */
export function selected<T>(
  { select }: Interest<T>,
  event: RecordedEvent,
  skipped: (reason: UnreadableEvent) => void = () => undefined,
): T | undefined {
  try {
    return select(event)
  } catch (error) {
    if (!(error instanceof UnreadableEvent) || error.isNewer) throw error
    skipped(error)
    return undefined
  }
}

/** When the oldest unhandled event was recorded (ms since the epoch); undefined if there is none. */
export async function waitingSince<T>(
  { db, log }: Pick<CommandDeps, 'log'> & { readonly db: Database },
  interest: Interest<T>,
): Promise<number | undefined> {
  const { name, categories } = interest
  let passed = 0
  for await (const delivery of log.subscribe(await checkpointOf(db, name), { categories, batchSize: MOST_PASSED })) {
    if (delivery.kind === 'caught-up') return undefined
    passed += delivery.events.length
    // A follower that had seen this many would have moved its checkpoint.
    const waiting =
      delivery.events.find((event) => isWaiting(interest, event)) ??
      (passed >= MOST_PASSED ? delivery.events.at(-1) : undefined)
    if (waiting) return Date.parse(waiting.metadata.at)
  }
  return undefined
}

function isWaiting<T>(interest: Interest<T>, event: RecordedEvent): boolean {
  try {
    return selected(interest, event) !== undefined
  } catch {
    // Of a newer version.
    return true
  }
}
