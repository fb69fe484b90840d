import * as z from 'zod'
import { ANALYTICS_PLATFORMS } from '../../domain/analytics/metrics.ts'
import { lookAfter, slotAt } from '../../domain/analytics/metrics-cadence.ts'
import { metrics, postMetrics, postMetricsId } from '../../domain/analytics/post-metrics.ts'
import { streamName } from '../../domain/core/event.ts'
import { derivedId, derivedUlid } from '../../domain/core/ids.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import { finalText } from '../../domain/post/caption.ts'
import { post, type PostState } from '../../domain/post/post.ts'
import type { PostEvent } from '../../domain/post/post-events.ts'
import { foreseen } from '../../commands/foreseen.ts'
import { handle, type Cause } from '../../commands/handle.ts'
import { accountPublished, publishPrepared, startPublish } from '../../commands/publish-attempt.ts'
import { queuePost, type QueuePost } from '../../commands/queue-post.ts'
import { NO_STREAM } from '../../event-log/event-log.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { findAccount } from '../../projections/models/accounts.ts'
import { findWorkspaces } from '../../projections/models/workspaces.ts'
import type { Core } from '../wiring/core.ts'
import { demoPosts, type DemoPost } from './demo-posts.ts'
import { settled } from './settled.ts'

export interface DemoPlace {
  readonly workspaceId: string
  readonly accounts: Readonly<Partial<Record<PlatformKey, string>>>
  readonly sandboxUrl: string
}

/** The checks of a post (`metrics-cadence.ts`) that the history has: daily for a week, then about weekly. */
const SLOTS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 22, 29, 43, 57]
const ACTOR = { kind: 'reactor', id: 'demo' } as const

const past = z.array(
  z.object({ id: z.string(), readings: z.array(z.object({ at: z.string(), metrics: postMetrics })) }),
)
type Past = z.infer<typeof past>[number]

/** A post as it was on one account. */
interface Published extends Past {
  readonly platform: PlatformKey
  readonly accountId: string
}

/**
 * Invents the 60 days before the workspace was created: the sandbox gets the posts, and the log what publishing them and reading
 * their numbers would have written. Repeating it changes nothing.
 */
export async function addDemoHistory(core: Core, place: DemoPlace): Promise<void> {
  const [workspace] = await findWorkspaces(core.db, place.workspaceId)
  const until = Date.parse(workspace?.createdAt ?? '')
  const posts = demoPosts(until)
  const published = await Promise.all(
    ANALYTICS_PLATFORMS.map((platform) => publishedOn(core, place, platform, posts, until)),
  )
  const written = await Promise.all(
    posts.map((given, index) =>
      writePost(
        core,
        place,
        given,
        published.flatMap((of) => of.get(index) ?? []),
      ),
    ),
  )
  await settled(core, { position: highest(written) })
}

function highest(positions: readonly bigint[]): bigint {
  return positions.reduce((most, position) => (position > most ? position : most), 0n)
}

/** Has the sandbox add an account's posts. By their place in the list. */
async function publishedOn(
  { db, http }: Core,
  { accounts, sandboxUrl }: DemoPlace,
  platform: (typeof ANALYTICS_PLATFORMS)[number],
  posts: readonly DemoPost[],
  until: number,
): Promise<ReadonlyMap<number, Published>> {
  const account = await findAccount(db, accounts[platform] ?? '')
  if (!account) return new Map()
  const own = posts.flatMap((given, index) => {
    const reach = given.reach[platform]
    const { publishedAt: createdAt, mediaType, ...content } = given
    const readAt = checksOf(createdAt, until)
    const caption = finalText({ ...content, captionOverrides: {} }, platform)
    const seen = { caption, mediaUrl: mediaOf(mediaType, sandboxUrl), mediaType, createdAt, readAt }
    return reach === undefined ? [] : [{ index, body: { ...seen, reach } }]
  })
  if (own.length === 0) return new Map()
  const response = await http.request(`${sandboxUrl}/_control/history`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ platform, accountId: account.externalId, posts: own.map(({ body }) => body) }),
  })
  if (response.status >= 300) throw new Error(`the sandbox took no history of ${platform}: ${response.text()}`)
  const made = past.parse(response.json())
  return new Map(
    own.flatMap(({ index }, place) => {
      const kept = made[place]
      return kept ? [[index, { ...kept, platform, accountId: account.id }] as const] : []
    }),
  )
}

function mediaOf(type: DemoPost['mediaType'], sandboxUrl: string): string {
  return { text: '', image: `${sandboxUrl}/media/sample.jpg`, video: `${sandboxUrl}/media/sample.mp4` }[type]
}

/** Those before the last one that would have been made until then: the service itself makes that one. */
function checksOf(publishedAt: string, until: number): readonly string[] {
  const at = Date.parse(publishedAt)
  const last = slotAt(at, until)
  return SLOTS.filter((slot) => slot < last).map((slot) => isoTime(lookAfter(at, slot - 1) ?? until))
}

/** The readings come first: once the post is published, the service reads its numbers itself. */
async function writePost(
  core: Core,
  { workspaceId, sandboxUrl }: DemoPlace,
  { reach: _, publishedAt, ...given }: DemoPost,
  on: readonly Published[],
): Promise<bigint> {
  const id = resourceId('post', derivedUlid('demo post', workspaceId, publishedAt))
  const { mediaType, hashtags } = given
  for (const { platform, accountId, id: platformPostId, readings } of on) {
    const stream = postMetricsId(id, accountId)
    const of = { workspaceId, postId: id, platform, accountId, platformPostId, publishedAt, mediaType }
    const captured = readings.map(({ at, metrics }) => {
      const commandId = derivedId('demo reading', stream, at)
      const slot = slotAt(Date.parse(publishedAt), Date.parse(at))
      return {
        type: 'MetricsCaptured',
        data: { ...of, hashtags: [...hashtags], slot, metrics },
        id: derivedId(commandId, 0),
        metadata: { at, actor: ACTOR, correlationId: id, causationId: commandId },
      }
    })
    if (captured.length > 0) await core.log.append(streamName(metrics, stream), captured, NO_STREAM)
  }
  const selections = Object.fromEntries(on.map(({ platform, accountId }) => [platform, [accountId]]))
  const content = { ...given, hashtags: [...hashtags], mediaUrl: mediaOf(mediaType, sandboxUrl), captionOverrides: {} }
  const command = { ...content, workspaceId, selections, origin: 'demo' } as const
  const then = { ...core, clock: { ...core.clock, now: () => Date.parse(publishedAt) } }
  const cause = causeOf(id, 'published')
  const publishing = (state: PostState) => publish(state, command, on)
  const { position = 0n } = await handle(then, post, id, cause, publishing, { expectNew: true })
  return position
}

function causeOf(id: string, what: string): Cause {
  return { commandId: derivedId('demo', id, what), actor: ACTOR, correlationId: id }
}

/** All that publishing writes, at once. */
function publish(state: PostState, command: QueuePost, on: readonly Published[]): readonly PostEvent[] {
  if (state.status !== 'absent') return []
  let events = queuePost(state, command)
  const next = (decide: (state: PostState) => readonly PostEvent[]) => {
    events = [...events, ...decide(foreseen(post, state, events))]
  }
  for (const { platform, accountId, id: postId } of on) {
    const attempt = { platform, accountId, attempt: 1 }
    next((now) => startPublish(now, attempt))
    next((now) => publishPrepared(now, attempt, {}))
    next((now) => accountPublished(now, attempt, { postId }, false))
  }
  return events
}
