import { isPlatformKey } from '../domain/core/platform.ts'
import type { PostContent, PostState } from '../domain/post/post.ts'
import type { ORIGINS, PostEvent } from '../domain/post/post-events.ts'
import { finished } from './finish-post.ts'

export type QueuePost = PostContent & { readonly origin: (typeof ORIGINS)[number] }

/** Queues a post to be published now. Queueing the same post again is a no-op. */
export function queuePost(state: PostState, command: QueuePost): readonly PostEvent[] {
  return state.status === 'absent' ? finished(state, queueEvents(command)) : []
}

/**
 * A platform that is unknown, or selected without an account, becomes a failed item of the post, not a request error
 * (api-spec §4, Posts, rule 2).
 */
export function queueEvents(command: QueuePost): readonly PostEvent[] {
  const selections: Record<string, string[]> = {}
  const refused: PostEvent[] = []
  for (const [platform, accountIds] of Object.entries(command.selections)) {
    if (isPlatformKey(platform) && accountIds.length > 0) selections[platform] = [...new Set(accountIds)]
    else refused.push({ type: 'PlatformRefused', data: { platform, error: noAccountError(platform) } })
  }
  return [{ type: 'PostQueued', data: { ...command, selections } }, ...refused]
}

export function noAccountError(platform: string, accountId?: string): string {
  return accountId === undefined
    ? `No connected account was found for platform ${platform}.`
    : `No connected account was found for platform ${platform} with the id ${accountId}.`
}
