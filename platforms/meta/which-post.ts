import type { Published } from '../kit/platform.ts'
import { publishedFrom, type Handle } from './handle.ts'

/**
 * The posts that the container may have become.
 *
 * @param live the posts of the same text and type that are not older than that (ms since the epoch)
 * @throws what `live` does
 */
export async function postsOf(
  handle: Handle,
  live: (from: number) => Promise<readonly Published[]>,
): Promise<readonly Published[]> {
  const { others = [] } = handle
  return (await live(publishedFrom(handle))).filter(({ postId }) => !others.includes(postId))
}

/** The one post that it can only be. */
export function onlyOne(found: readonly Published[]): Published | undefined {
  return found.length === 1 ? found[0] : undefined
}

/** It is out for sure, as which post nobody can tell. */
export function unidentified({ containerId }: Handle): Published {
  return { postId: containerId }
}
