import type { Published, PublishJob } from '../platform.ts'
import type { RestIo } from '../rest.ts'
import type { Session } from './graph.ts'
import { publishedFrom, type Handle } from './handle.ts'
import { livePosts } from './media-list.ts'

/**
 * The posts that the container may have become.
 *
 * @throws PlatformError
 */
export async function candidates(
  job: PublishJob,
  handle: Handle,
  session: Session,
  io: RestIo,
): Promise<readonly Published[]> {
  const live = await livePosts(job, publishedFrom(handle), session, io)
  return live.filter(({ postId }) => !handle.others?.includes(postId))
}

/** The one post that it can only be. */
export function onlyOne(found: readonly Published[]): Published | undefined {
  return found.length === 1 ? found[0] : undefined
}

/** It is out for sure, as which post nobody can tell. */
export function unidentified({ containerId }: Handle): Published {
  return { postId: containerId }
}
