import { Refusal } from '../domain/core/errors.ts'
import { isQueued, type PostState, type QueuedPost } from '../domain/post/post.ts'

/**
 * The post that a rule recycles. Another workspace's post is treated as nonexistent.
 *
 * @throws Refusal invalid_request naming sourcePostId
 */
export function mustBeRecyclable(state: PostState, workspaceId: string): QueuedPost {
  const owner = isQueued(state) ? state.workspaceId : state.status === 'absent' ? undefined : state.content.workspaceId
  if (owner !== workspaceId)
    throw new Refusal('invalid_request', 'sourcePostId must be the id of a published post; no such post exists')
  if (isQueued(state) && state.status === 'published') return state
  throw new Refusal(
    'invalid_request',
    `sourcePostId must be the id of a published post; the status of this one is ${state.status}`,
  )
}

/** The accounts that a post was published to, by platform. */
export function publishedOn(post: QueuedPost): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const { platform, accountId, state } of post.targets.values()) {
    if (state.step === 'published') found[platform] = [...(found[platform] ?? []), accountId]
  }
  return found
}
