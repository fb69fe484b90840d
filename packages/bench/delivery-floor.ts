import type { Core } from '../../app/main.ts'
import { hands } from './pace.ts'
import { livesOf, repeated, type Life } from './schedule-floor.ts'
import type { FinishedPost } from './webhooks.ts'

/** What the log holds of the deliveries of these posts, each as the appends that it took. */
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
 * The durable part of delivering and nothing else: the same appends, and the read models that they make. @param core another
 * than the one the lives are from, with nothing at work there
 *
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
