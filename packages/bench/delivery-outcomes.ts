import type { Core } from '../../app/wiring/core.ts'
import type { FinishedPost } from './webhooks.ts'

const LOOK_EVERY_MS = 50
/** How long (ms) outcomes may take to be recorded after the last message has arrived. */
const PATIENCE_MS = 30_000

/**
 * Waits until the log records this many successful deliveries of these posts, and no other outcome.
 *
 * @returns when the last one was recorded, ms since the epoch
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
      throw new Error(
        `of ${count} deliveries, ${queued} are queued and ${succeeded} succeeded, with ${others} other events`,
      )
    }
    await clock.sleep(LOOK_EVERY_MS)
  }
}
