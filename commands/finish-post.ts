import { isFinished, isQueued, post, type PostState } from '../domain/post/post.ts'
import type { PostEvent } from '../domain/post/post-events.ts'
import { fitted } from '../domain/post/publish-results.ts'
import { foreseen } from './foreseen.ts'

/** Adds `PostFinished` to the events that settle the last account (api-spec §3, decisions "Posts"). */
export function finished(before: PostState, events: readonly PostEvent[]): readonly PostEvent[] {
  const after = foreseen(post, before, events)
  if (!isQueued(after) || !isFinished(after)) return events
  const targets = [...after.targets.values()]
  const okCount = targets.filter((target) => target.state.step === 'published').length
  const total = targets.length + after.refusedPlatforms.length
  const status = okCount > 0 ? 'published' : 'publish_failed'
  const data = { status, okCount, total, workspaceId: after.workspaceId, results: fitted(after.results) } as const
  return [...events, { type: 'PostFinished', data }]
}
