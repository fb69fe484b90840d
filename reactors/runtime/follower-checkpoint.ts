import type { CommandDeps } from '../../commands/handle.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { RecordedEvent } from '../../domain/core/event.ts'

/** What a follower looks for in the log, and the name under which it keeps its place there. */
export interface Interest<T> {
  readonly name: string
  readonly categories: readonly string[]
  /** What an event is to it; undefined when it is none of its business. */
  readonly select: (event: RecordedEvent) => T | undefined
}

/** Before the first event. */
const START = -1n
/** Events with nothing of interest that may follow the checkpoint: it is not moved for each of them. */
export const MOST_PASSED = 200

/** Up to where in the log (inclusive) a follower has handled all that it looks for. One that is new begins at the start. */
export async function checkpointOf(db: Database, name: string): Promise<bigint> {
  const { rows } = await db.query<{ position: string }>('select position from service.followers where name = $1', [
    name,
  ])
  return BigInt(rows[0]?.position ?? START)
}

/** So that there is a checkpoint to move. */
export async function enrol(db: Database, name: string): Promise<void> {
  await db.query('insert into service.followers values ($1, $2) on conflict do nothing', [name, String(START)])
}

/**
 * Not waited for on the disk: after a crash of the database the last moments are followed again.
 *
 * @returns whether it was moved: another follower of the name may have been faster
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

/** When the oldest event that nobody has handled yet was made (ms since the epoch); undefined when there is none. */
export async function waitingSince<T>(
  { db, log }: Pick<CommandDeps, 'log'> & { readonly db: Database },
  { name, categories, select }: Interest<T>,
): Promise<number | undefined> {
  let passed = 0
  for await (const delivery of log.subscribe(await checkpointOf(db, name), { categories, batchSize: MOST_PASSED })) {
    if (delivery.kind === 'caught-up') return undefined
    passed += delivery.events.length
    // A follower that had seen so many would have moved.
    const waiting = delivery.events.find(select) ?? (passed >= MOST_PASSED ? delivery.events.at(-1) : undefined)
    if (waiting) return Date.parse(waiting.metadata.at)
  }
  return undefined
}
