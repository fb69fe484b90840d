import type { Metadata } from '../domain/event.ts'
import { isFinished, isQueued, post, type PostState } from '../domain/post.ts'
import type { PostEvent } from '../domain/post-events.ts'
import { fitted } from '../domain/publish-results.ts'

/** Folding ahead of the append: what the metadata will be does not matter to whether a post is finished. */
const NOT_YET_WRITTEN: Metadata = {
  at: new Date(0).toISOString(),
  actor: { kind: 'reactor', id: 'finish-post' },
  correlationId: '',
  causationId: '',
}

/** Adds `PostFinished` to the events that settle the last account (api-spec §3, decisions "Posts"). */
export function finished(before: PostState, events: readonly PostEvent[]): readonly PostEvent[] {
  const after = events.reduce((state, event) => post.evolve(state, event, NOT_YET_WRITTEN), before)
  if (!isQueued(after) || !isFinished(after)) return events
  const targets = [...after.targets.values()]
  const okCount = targets.filter((target) => target.state.step === 'published').length
  const total = targets.length + after.refusedPlatforms.length
  const status = okCount > 0 ? 'published' : 'publish_failed'
  const data = { status, okCount, total, workspaceId: after.workspaceId, results: fitted(after.results) } as const
  return [...events, { type: 'PostFinished', data }]
}
