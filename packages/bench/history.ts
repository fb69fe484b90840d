import { derivedId } from '../../domain/core/ids.ts'
import type { NewEvent } from '../../domain/core/event.ts'
import { finished } from '../../commands/finish-post.ts'
import type { PostEvent } from '../../domain/post/post-events.ts'
import { NO_STREAM, type EventLog } from '../../event-log/event-log.ts'
import { ids, metadata, postQueued } from './post.ts'

/** Posts in progress at once: their events interleave in the log, as they do when many workers publish. */
const AT_ONCE = 200
/** One in this many posts is still waiting for a worker. */
const WAITING = 10

/** Fills a log with the lives of posts, one append per step; returns the number of events. */
export async function writeHistory(log: EventLog, posts: number): Promise<number> {
  let events = 0
  for (let first = 0; first < posts; first += AT_ONCE) {
    const wave = Array.from({ length: Math.min(AT_ONCE, posts - first) }, (_, index) => ({
      stream: `post-post_${ids.ulid()}`,
      steps: lifeOf((first + index) % WAITING === 0),
    }))
    for (let step = 0; wave.some(({ steps }) => step < steps.length); step += 1) {
      const moving = wave.filter(({ steps }) => step < steps.length)
      await Promise.all(
        moving.map(({ stream, steps }) => log.append(stream, recorded(stream, steps, step), NO_STREAM + step)),
      )
      events += moving.length
    }
  }
  return events
}

const WORKER = { actor: { kind: 'reactor', id: 'publish' } } as const

function recorded(stream: string, steps: readonly PostEvent[], step: number): readonly NewEvent[] {
  const by = { ...metadata(), ...(step > 0 && WORKER) }
  return steps.slice(step, step + 1).map((event) => ({ ...event, id: derivedId(stream, step), metadata: by }))
}

function lifeOf(waiting: boolean): readonly PostEvent[] {
  const [workspaceId, accountId] = ['ws_01JD0000000000000000000000', 'acc_01JD0000000000000000000000']
  const { selections, hashtags, ...content } = postQueued(workspaceId, accountId)
  const target = { platform: 'bluesky', accountId, attempt: 1 }
  const queued: PostEvent = {
    type: 'PostQueued',
    data: { ...content, selections: { bluesky: [...selections.bluesky] }, hashtags: [...hashtags] },
  }
  if (waiting) return [queued]
  const rkey = ids.ulid()
  return finished({ status: 'absent' }, [
    queued,
    { type: 'PublishStarted', data: target },
    { type: 'PublishPrepared', data: { ...target, handle: { rkey } } },
    {
      type: 'AccountPublished',
      data: { ...target, postId: `at://did:plc:bench/app.bsky.feed.post/${rkey}`, url: `https://bsky.app/${rkey}` },
    },
  ])
}
