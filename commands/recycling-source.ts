import { Refusal } from '../domain/core/errors.ts'
import { isLive, isQueued, type PostState, type QueuedPost } from '../domain/post/post.ts'

/**
 * The post that a rule recycles. Another workspace's post is treated as nonexistent.
 *
 * @throws Refusal invalid_request naming sourcePostId
 */
export function mustBeRecyclable(state: PostState, workspaceId: string): QueuedPost {
  const owner = isQueued(state) ? state.workspaceId : state.status === 'absent' ? undefined : state.content.workspaceId
  if (owner !== workspaceId)
    throw new Refusal('invalid_request', 'sourcePostId must be the id of a published post; no such post exists')
  if (isQueued(state) && isSource(state)) return state
  const why = state.status === 'published' ? 'this one was unpublished' : `the status of this one is ${state.status}`
  throw new Refusal('invalid_request', `sourcePostId must be the id of a published post; ${why}`)
}

/** Whether the post is still published on at least one account. */
export function isSource(post: QueuedPost): boolean {
  return post.status === 'published' && [...post.targets.values()].some(({ state }) => isLive(state))
}

/** The accounts that a post is published on, by platform. */
export function publishedOn(post: QueuedPost): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const { platform, accountId, state } of post.targets.values()) {
    if (isLive(state)) found[platform] = [...(found[platform] ?? []), accountId]
  }
  return found
}
