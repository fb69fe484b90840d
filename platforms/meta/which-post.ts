import type { Published } from '../kit/platform.ts'
import { publishedFrom, type Handle } from './handle.ts'

/**
 * Posts that the container may have become.
 *
 * @param live the posts with the same text and type that are not older than the given time (ms since the epoch)
 * @throws what `live` throws
 */
export async function postsOf(
  handle: Handle,
  live: (from: number) => Promise<readonly Published[]>,
): Promise<readonly Published[]> {
  const { others = [] } = handle
  return (await live(publishedFrom(handle))).filter(({ postId }) => !others.includes(postId))
}

/** The only candidate, if there is exactly one. */
export function onlyOne(found: readonly Published[]): Published | undefined {
  return found.length === 1 ? found[0] : undefined
}

/** Certainly published, but it is unknown as which post. */
export function unidentified({ containerId }: Handle): Published {
  return { postId: containerId }
}
