import fc from 'fast-check'
import t from 'tap'
import { grantCredits } from '../commands/credits.ts'
import { addFeed } from '../commands/feed.ts'
import { fold, handle, load } from '../commands/handle.ts'
import { orderVideo } from '../commands/order-video.ts'
import { registerWebhook, rotateSecret } from '../commands/webhook.ts'
import { account } from '../domain/account/account.ts'
import { competitor } from '../domain/analytics/competitor.ts'
import { streamName, type DomainEvent, type RecordedEvent, type StreamKind } from '../domain/core/event.ts'
import { feed, type FeedEvent } from '../domain/feed/rss-feed.ts'
import { recyclingRule } from '../domain/recycling/recycling-rule.ts'
import { credits } from '../domain/video/credits.ts'
import { planVideo } from '../domain/video/video-plan.ts'
import type { VideoEvent } from '../domain/video/video-events.ts'
import { video } from '../domain/video/video.ts'
import { webhook } from '../domain/webhook/webhook.ts'
import { createCodec } from '../event-log/codec.ts'
import { MAX_EVENT_BYTES } from '../event-log/event-log.ts'
import { activity } from '../projections/models/activity.ts'
import { projections } from '../projections/models/index.ts'
import { closeBooksReactor } from '../reactors/videos/close-books.ts'
import { newEvent } from './support/event-log-helpers.ts'
import { valuesOf } from './support/generated.ts'
import { memoryLog } from './support/memory-log.ts'
import { virtualClock } from './support/virtual-clock.ts'
import { causedBy } from './support/world.ts'

type AnyKind = StreamKind<unknown, DomainEvent>

/* Streams that a command closes once it has read many events: the state is summarized, and the next command begins there. */

t.test(
  'given any history, when it is closed, then the summary is the state, and everything continues from it',
  async (t) => {
    for (const kind of [account, feed, recyclingRule, competitor, webhook] as unknown as AnyKind[]) {
      const anyEvent = fc.oneof(
        ...Object.entries(kind.events)
          .filter(([type]) => type !== kind.closedBy)
          .map(([type, schema]) => valuesOf(schema).map((data) => ({ type, data: data as object }))),
      )
      const histories = fc.array(anyEvent, { maxLength: 12 })
      let closed = 0
      const holds = async (before: readonly DomainEvent[], after: readonly DomainEvent[]) => {
        const read = await recordedOf(kind, before)
        const state = fold(kind, read)
        const closing = kind.close?.(state)
        if (!closing) return
        closed += 1
        const [summary] = await recordedOf(kind, [closing], read.length)
        const later = await recordedOf(kind, after, read.length + 1)
        const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
        t.same(plain(fold(kind, [summary!, ...later])), plain(fold(kind, [...read, ...later])))
        // It has a row for each event.
        for (const model of projections.filter(({ name }) => name !== activity.name)) {
          const rows = new Map<string, never>()
          for (const event of read) {
            for (const id of model.rowIds(event)) rows.set(id, model.apply(rows.get(id), event, id) as never)
          }
          for (const id of model.rowIds(summary!)) {
            t.same(
              model.apply(rows.get(id), summary!, id),
              rows.get(id),
              `${model.name} is not changed by ${closing.type}`,
            )
          }
        }
      }
      await fc.assert(fc.asyncProperty(histories, histories, holds), { numRuns: 200 })
      t.ok(closed > 0, kind.category)
    }
  },
)

t.test('given a command for each of many events, then none reads more than the last ones', async (t) => {
  const clock = virtualClock()
  const inner = memoryLog()
  let longest = 0
  const log: typeof inner = {
    ...inner,
    read: async (stream, from) => {
      const events = await inner.read(stream, from)
      longest = Math.max(longest, events.length)
      return events
    },
  }
  const deps = { log, clock }
  const registered = { workspaceId: 'ws_1', url: 'https://example.com', events: [] }
  await handle(deps, webhook, 'wh_1', causedBy('register'), (state) => registerWebhook(state, registered))
  const rotate = (nth: number) =>
    handle(deps, webhook, 'wh_1', causedBy(`rotate ${nth}`), (state) => rotateSecret(state, '2026-01-01T00:00:00.000Z'))
  for (let nth = 1; nth <= 1_000; nth += 1) {
    const { revision } = await rotate(nth)
    t.equal((await rotate(nth)).revision, revision, 'a repeated command does nothing')
  }
  t.match(await load(log, webhook, 'wh_1'), { ...registered, status: 'active', rotations: 1_000 })
  t.ok(longest <= 202, `${longest} events were read at once`)
})

t.test('given a state that does not fit into one event, then its stream stays open, and commands go on', async (t) => {
  const deps = { log: memoryLog(), clock: virtualClock() }
  const added = { workspaceId: 'ws_1', url: 'https://example.com', captionTemplate: '', checkIntervalMinutes: 15 }
  const bytes = Buffer.byteLength(JSON.stringify(added)) + 600
  const selections = { x: Array.from({ length: Math.floor((MAX_EVENT_BYTES - bytes) / 103) }, () => 'a'.repeat(100)) }
  await handle(deps, feed, 'feed_1', causedBy('add'), (state) => addFeed(state, { ...added, selections }))
  const failed = (nth: number) =>
    handle(deps, feed, 'feed_1', causedBy(`check ${nth}`), (): FeedEvent[] => [
      { type: 'FeedCheckFailed', data: { error: `${nth}`.padEnd(2_000) } },
    ])
  for (let nth = 0; nth < 210; nth += 1) await failed(nth)
  const types = (await deps.log.read('feed-feed_1')).map(({ type }) => type)
  t.same([types.length, types.includes('FeedSummarized')], [211, false])
})

t.test(
  'given an order that stalls before its charge, when it is made and its book closed meanwhile, then it is charged once',
  async (t) => {
    const inner = memoryLog()
    const deps = { log: inner, clock: virtualClock() }
    const settings = planVideo('ws_1', { prompt: 'A cat', aspectRatio: '9:16', aiVoiceover: false })
    const order = (log: typeof inner, by: string) =>
      orderVideo({ ...deps, log }, 'vid_1', { settings, amount: 1 }, causedBy(by))
    const grant = { workspaceId: 'ws_1', amount: 10 }
    await handle(deps, credits, 'ws_1', causedBy('grant'), (state) => grantCredits(state, grant))
    let hasStalled = false
    const stalling: typeof inner = {
      ...inner,
      append: async (stream, events, expected) => {
        if (!hasStalled) {
          hasStalled = true
          await order(inner, 'repeat')
          await handle(deps, video, 'vid_1', causedBy('ready'), (): VideoEvent[] => [{ type: 'VideoReady', data: {} }])
          const row = { id: '', kind: 'books', subject: 'ws_1', part: '', lane: '', dueAt: '', token: 't' } as const
          await closeBooksReactor(deps)(row, new AbortController().signal)
        }
        return inner.append(stream, events, expected)
      },
    }
    t.match(await order(stalling, 'order'), { balance: 9 })
    const types = (await inner.read('credits-ws_1')).map(({ type }) => type)
    t.same(types, ['CreditsGranted', 'CreditsCharged', 'CreditsClosed'])
  },
)

async function recordedOf(
  kind: AnyKind,
  events: readonly DomainEvent[],
  revision = 0,
): Promise<readonly RecordedEvent[]> {
  const { encode, decode } = createCodec()
  const stream = streamName(kind, 'id_1')
  const written = await encode(
    stream,
    events.map(({ type, data }) => newEvent(data, type)),
    revision - 1,
  )
  return written.map((event, index) => {
    const json: RecordedEvent = JSON.parse(JSON.stringify(event))
    return decode({ ...json, stream, revision: revision + index, position: BigInt(revision + index + 1) })
  })
}
