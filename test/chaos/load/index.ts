import { fans, replyFaults, responder } from './comments.ts'
import { pacer, recyclers, videoMaker } from './others.ts'
import { platformFaults, posters, readers, retrier, scheduler } from './posts.ts'
import type { Scene } from './scene.ts'

/** Everybody who wants something of the service, until nothing more is to be begun and all that was is answered. */
export async function load(
  scene: Scene,
  feed: { run(): Promise<void> },
  hooks: readonly { readonly id: string }[],
): Promise<void> {
  /** Ids of posts, the oldest first. */
  const seen: string[] = []
  await Promise.all([
    ...posters(scene, seen),
    ...readers(scene, seen),
    scheduler(scene, seen),
    retrier(scene),
    platformFaults(scene),
    fans(scene),
    responder(scene),
    replyFaults(scene),
    videoMaker(scene),
    ...recyclers(scene),
    feed.run(),
    pacer(scene, hooks),
  ])
}
