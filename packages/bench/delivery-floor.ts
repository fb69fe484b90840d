import type { Core } from '../../app/wiring/core.ts'
import { hands } from './pace.ts'
import { livesOf, repeated, type Life } from './schedule-floor.ts'
import type { FinishedPost } from './webhooks.ts'

/** The logged deliveries of these posts, each as the appends it consists of. */
export async function deliveriesOf({ db, log }: Core, posts: readonly FinishedPost[]): Promise<readonly Life[]> {
  const { rows } = await db.query<{ stream: string }>(
    `select stream from log.events where type = 'DeliveryQueued' and position > (
       select min(position) from log.events where stream = any($1))`,
    [posts.map(({ id }) => `post-${id}`)],
  )
  return livesOf(
    log,
    rows.map(({ stream }) => stream),
  )
}

/**
 * Only the durable part of a delivery: the same appends, and the read models projected from them.
 *
 * @param core not the one that the lives come from, and otherwise idle
 * @returns how long it took, ms
 */
export async function deliverNothing(
  { log, projector }: Core,
  lives: readonly Life[],
  atOnce: number,
): Promise<number> {
  const hand = hands(atOnce)
  const start = performance.now()
  const live = async (life: Life) => {
    for (const append of life) await repeated(log, append)
  }
  await Promise.all(lives.map((life) => hand(() => live(life))))
  await projector.catchUp()
  return performance.now() - start
}
