import type pg from 'pg'
import type { Test } from 'tap'
import { finished } from '../../commands/finish-post.ts'
import { handle } from '../../commands/handle.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Signals } from '../../infra/postgres/signal.ts'
import { delivery } from '../../domain/webhook/delivery.ts'
import { eventOf, type RecordedEvent } from '../../domain/core/event.ts'
import { post, type PostState } from '../../domain/post/post.ts'
import type { PostEvent } from '../../domain/post/post-events.ts'
import type { PublicEventName } from '../../domain/webhook/public-event.ts'
import { webhook } from '../../domain/webhook/webhook.ts'
import { START, type EventLog } from '../../event-log/event-log.ts'
import { postgresLog } from '../../event-log/postgres/log.ts'
import { projections } from '../../projections/models/index.ts'
import { createProjector } from '../../projections/engine/projector.ts'
import type { Seen } from '../../projections/engine/seen.ts'
import { FAN_OUT, fanOut } from '../../reactors/webhooks/fan-out.ts'
import { createFollower } from '../../reactors/runtime/follower.ts'
import { systemClock, type Clock } from '../../infra/runtime/clock.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { createLogger, type Logger } from '../../infra/runtime/logger.ts'
import { readUntilCaughtUp } from './event-log-helpers.ts'
import { testDatabase, withReadModels } from './postgres.ts'
import { ids } from './sandbox.ts'
import { causedBy } from './world.ts'

export const silent = createLogger('silent')
const BOTH: readonly PublicEventName[] = ['post.published', 'post.failed']
/** Whoever sleeps does so until he is woken. */
export const neverWaking: Clock = {
  now: systemClock.now,
  sleep: (_, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) resolve()
      signal?.addEventListener('abort', () => resolve(), { once: true })
    }),
}

export interface Scene {
  readonly db: pg.Pool
  readonly signals: Signals
  readonly log: EventLog
}

export async function givenScene(
  t: Test,
  parts: { readonly log?: EventLog; readonly clock?: Clock } = {},
): Promise<Scene> {
  const { db, signals } = await testDatabase(t, withReadModels)
  const log = parts.log ?? postgresLog({ db, signals, clock: parts.clock ?? systemClock })
  t.teardown(() => log.close())
  return { db, signals, log }
}

export function projectorOf(scene: Scene, clock: Clock = systemClock) {
  return createProjector({ ...scene, projections, clock, logger: silent })
}

export interface Parts {
  readonly db?: Database
  readonly log?: EventLog
  readonly seen?: Pick<Seen, 'waitFor'>
  readonly clock?: Clock
  readonly logger?: Logger
  readonly batchSize?: number
}

/** One process that fans out. Unless told otherwise, it brings the read models up itself whenever it has to wait for them. */
export function follower(scene: Scene, parts: Parts = {}) {
  const { clock = systemClock, logger = silent, db = scene.db, log = scene.log, batchSize = 1_000 } = parts
  const seen = parts.seen ?? {
    waitFor: () =>
      projectorOf(scene)
        .catchUp()
        .then(() => true),
  }
  const deps = { ...scene, db, log, clock, logger, batchSize }
  return createFollower(FAN_OUT, () => fanOut({ ...deps, seen }), deps)
}

export const newWorkspace = () => resourceId('ws', ids.ulid())

export async function register({ log }: Scene, workspaceId: string, events = BOTH): Promise<string> {
  const id = resourceId('wh', ids.ulid())
  const data = { workspaceId, url: 'https://receiver.example/', events: [...events] }
  await handle({ log, clock: systemClock }, webhook, id, causedBy(id), () => [
    { type: 'WebhookRegistered', data } as const,
  ])
  return id
}

export function unregister({ log }: Scene, id: string) {
  const cause = causedBy(`${id} deleted`)
  return handle({ log, clock: systemClock }, webhook, id, cause, () => [{ type: 'WebhookDeleted', data: {} } as const])
}

/** Appends what `next` makes of the post, and that it is finished once it is. */
export async function goOn(
  { log }: Scene,
  id: string,
  next: (state: PostState) => readonly PostEvent[],
): Promise<void> {
  const cause = causedBy(ids.token())
  await handle({ log, clock: systemClock }, post, id, cause, (state) => finished(state, next(state)))
}

const CONTENT = { mediaUrl: 'https://media.example/a.jpg', mediaType: 'image', caption: 'A "caption" – ä' } as const

export function queued(workspaceId: string, selections: Record<string, string[]>): PostEvent {
  return {
    type: 'PostQueued',
    data: { ...CONTENT, workspaceId, origin: 'api', selections, captionOverrides: {}, hashtags: [] },
  }
}

const target = { platform: 'x', accountId: 'acc_1', attempt: 1 }
export const succeeded: PostEvent = {
  type: 'AccountPublished',
  data: { ...target, postId: '1', url: 'https://x.example/1' },
}
export const failed: PostEvent = { type: 'AccountPublishFailed', data: { ...target, error: 'No.', code: 'permanent' } }

/** A post to one account that has settled; returns its id. */
export async function settle(scene: Scene, workspaceId: string, outcome: PostEvent = succeeded): Promise<string> {
  const id = resourceId('post', ids.ulid())
  await goOn(scene, id, () => [queued(workspaceId, { x: ['acc_1'] }), outcome])
  return id
}

export async function retry(scene: Scene, id: string, outcome: PostEvent): Promise<void> {
  await goOn(scene, id, () => [{ type: 'RetryRequested', data: { platform: 'x', accountIds: ['acc_1'] } }])
  await goOn(scene, id, () => [outcome])
}

export async function recordedIn({ log }: Scene, category: string): Promise<readonly RecordedEvent[]> {
  return readUntilCaughtUp(log, START, { categories: [category] })
}

export async function deliveries(scene: Scene) {
  return (await recordedIn(scene, 'delivery')).flatMap((recorded) => {
    const event = eventOf(delivery, recorded)
    return event?.type === 'DeliveryQueued' ? [{ recorded, ...event.data }] : []
  })
}

/** What each webhook was told, as `event post`, in order. */
export async function toldTo(scene: Scene, webhookId: string): Promise<readonly string[]> {
  const own = (await deliveries(scene)).filter((each) => each.webhookId === webhookId)
  return own.map(({ event, body }) => `${event} ${JSON.parse(body).data.runId}`)
}
