import type { Core } from '../../app/main.ts'
import type { FinishedPost } from './webhooks.ts'

const LOOK_EVERY_MS = 50
/** Once every message has come, the outcomes have this long (ms) to be put down. */
const PATIENCE_MS = 30_000

/**
 * Waits until the log holds that so many deliveries of these posts have succeeded, and nothing else of them.
 *
 * @returns when the last was put down, ms since the epoch
 */
export async function mustSucceed({ db, clock }: Core, posts: readonly FinishedPost[], count: number): Promise<number> {
  const streams = posts.map(({ id }) => `post-${id}`)
  const deadline = clock.now() + PATIENCE_MS
  for (;;) {
    const { rows } = await db.query<{ queued: number; succeeded: number; others: number; last: string | null }>(
      `select count(*) filter (where type = 'DeliveryQueued')::int as queued,
         count(*) filter (where type = 'DeliverySucceeded')::int as succeeded,
         count(*) filter (where type not in ('DeliveryQueued', 'DeliverySucceeded'))::int as others,
         max(recorded_at) as last
       from log.events where stream like 'delivery-%' and position > (
         select min(position) from log.events where stream = any($1))`,
      [streams],
    )
    const { queued, succeeded, others, last } = rows[0] ?? {}
    if (queued === count && succeeded === count && others === 0) return Date.parse(last ?? '')
    if (clock.now() > deadline) {
      throw new Error(`of ${count} deliveries ${queued} are queued and ${succeeded} done, with ${others} other events`)
    }
    await clock.sleep(LOOK_EVERY_MS)
  }
}
