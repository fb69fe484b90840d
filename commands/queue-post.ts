import type { PostEvent, PostState } from '../domain/post.ts'
import { isPlatformKey } from '../domain/platform.ts'
import { finished } from './finish-post.ts'

export type QueuePost = Extract<PostEvent, { type: 'PostQueued' }>['data']

/**
 * A platform that is unknown or selected without an account is a failure item of the post, not an error of the request
 * (api-spec §4, Posts, rule 2). Queueing the same post again changes nothing.
 */
export function queuePost(state: PostState, command: QueuePost): readonly PostEvent[] {
  if (state.status !== 'absent') return []
  const selections: Record<string, string[]> = {}
  const refused: PostEvent[] = []
  for (const [platform, accountIds] of Object.entries(command.selections)) {
    if (isPlatformKey(platform) && accountIds.length > 0) selections[platform] = [...new Set(accountIds)]
    else refused.push({ type: 'PlatformRefused', data: { platform, error: noAccountError(platform) } })
  }
  const events: PostEvent[] = [{ type: 'PostQueued', data: { ...command, selections } }, ...refused]
  return finished(state, events)
}

export function noAccountError(platform: string, accountId?: string): string {
  return accountId === undefined
    ? `No connected account was found for platform ${platform}.`
    : `No connected account was found for platform ${platform} with the id ${accountId}.`
}
