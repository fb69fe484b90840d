import { handle } from '../../commands/handle.ts'
import { receiveComment } from '../../commands/comment.ts'
import { requestErasure } from '../../commands/erasure.ts'
import { comment, commentStreamId, type CommentContent } from '../../domain/conversation/comment.ts'
import { eventOf } from '../../domain/core/event.ts'
import { post } from '../../domain/post/post.ts'
import type { PostEvent } from '../../domain/post/post-events.ts'
import { erasure } from '../../domain/workspace/erasure.ts'
import { createCodec } from '../../event-log/codec.ts'
import { NO_STREAM, START, type EventLog } from '../../event-log/event-log.ts'
import { APPENDED } from '../../event-log/postgres/append.ts'
import { createErasableKeys } from '../../event-log/postgres/erasable-keys.ts'
import { createEventKeys } from '../../event-log/postgres/event-keys.ts'
import { postgresLog } from '../../event-log/postgres/log.ts'
import { migrate } from '../../infra/postgres/migrate.ts'
import { listenForSignals } from '../../infra/postgres/signal.ts'
import { createVault } from '../../infra/postgres/vault.ts'
import { fixedKeyRing } from '../../infra/runtime/key-ring.ts'
import { isoTime, systemClock as clock } from '../../infra/runtime/clock.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { eraseFurther, type EraseDeps } from '../../reactors/privacy/erase.ts'
import { ids, metadata, postQueued } from './post.ts'
import { compare, takeTurns, type Comparison, type Contender, type RoundOptions } from './rounds.ts'
import { poolOf16, type Server } from './server.ts'

const COMMENTS = 20_000
const WRITERS = 64

const POSTS = 10_000
/** What follows a post on one account, as far as a log is concerned. */
const PUBLISHING: readonly PostEvent['type'][] = [
  'PublishStarted',
  'PublishPrepared',
  'AccountPublished',
  'PostFinished',
]

/**
 * What encryption costs: receiving comments and queuing posts, reading the whole log, and erasing comments. A comment has its own
 * key, and a post the workspace's.
 */
export async function benchPrivacy(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const closing: (() => Promise<void>)[] = []
  const open = async (name: string, encrypts: boolean) => {
    const connectionString = await server.database(`privacy_${name.replaceAll(' ', '_')}`)
    await migrate(connectionString)
    const db = poolOf16(connectionString)
    const signals = listenForSignals({ connectionString, channels: [APPENDED], clock })
    const vault = createVault(db, fixedKeyRing([Buffer.alloc(32, 7)]))
    const keys = createEventKeys({ db, vault, now: clock.now })
    const log = postgresLog({ db, signals, clock, codec: createCodec(encrypts ? { keys } : {}) })
    closing.push(async () => {
      await log.close()
      await signals.close()
      await db.end()
    })
    return { name, log, erasing: { log, clock, keys: createErasableKeys({ db, vault }) } }
  }
  try {
    const encrypted = await open('encrypted', true)
    const plain = await open('in plain text', false)
    const receiving = [encrypted, plain].map(({ name, log }) => receiver(name, log))
    const [a = [], b = []] = await takeTurns(receiving, options)
    const [c = [], d = []] = await takeTurns(
      [reader(encrypted.name, encrypted.log), reader(plain.name, plain.log)],
      options,
    )
    const others = [await open('posts encrypted', true), await open('posts in plain text', false)]
    const [g = [], h = []] = await takeTurns(
      others.map(({ name, log }) => queuer(name, log)),
      options,
    )
    for (const { log } of others) await queue(log, PUBLISHING)
    const [i = [], j = []] = await takeTurns(
      others.map(({ name, log }) => postReader(name, log)),
      options,
    )
    const [e = [], f = []] = await takeTurns(
      [eraser(encrypted.erasing), receiver('receiving them', encrypted.log)],
      options,
    )
    return [
      compare(
        'receive comments, 64 writers',
        'comments/s',
        { name: encrypted.name, rounds: a },
        { name: plain.name, rounds: b },
      ),
      compare('read comments', 'events/s', { name: encrypted.name, rounds: c }, { name: plain.name, rounds: d }),
      compare(
        'queue posts, 64 writers',
        'posts/s',
        { name: encrypted.name, rounds: g },
        { name: plain.name, rounds: h },
      ),
      compare('read posts', 'events/s', { name: encrypted.name, rounds: i }, { name: plain.name, rounds: j }),
      compare('erase comments', 'comments/s', { name: 'Fanfare', rounds: e }, { name: 'receiving them', rounds: f }),
    ]
  } finally {
    for (const close of closing) await close()
  }
}

/** Comments of a new workspace, each on a stream of its own; returns the workspace. */
async function receive(log: EventLog): Promise<string> {
  const workspaceId = resourceId('ws', ids.ulid())
  const accountId = resourceId('acc', ids.ulid())
  let next = 0
  const writer = async () => {
    while (next < COMMENTS) {
      const commentId = String((next += 1))
      const content: CommentContent = {
        ...{ workspaceId, platform: 'instagram', accountId, commentId, kind: 'comment', author: `fan ${commentId}` },
        ...{ authorId: commentId, text: 'Where was this photo taken? I would love to go there.', references: {} },
        ...{ createdAt: isoTime(clock.now()), replied: false },
      }
      const id = commentStreamId(accountId, commentId)
      const cause = { commandId: crypto.randomUUID(), actor: { kind: 'cli', id: 'bench' }, correlationId: id } as const
      const decide = (state: Parameters<typeof receiveComment>[0]) => receiveComment(state, content)
      await handle({ log, clock }, comment, id, cause, decide, { expectNew: true })
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
  return workspaceId
}

async function perSecond(count: number, work: () => Promise<unknown>) {
  const start = performance.now()
  await work()
  return { perSecond: (count * 1_000) / (performance.now() - start) }
}

function receiver(name: string, log: EventLog): Contender {
  return { name, measure: () => perSecond(COMMENTS, () => receive(log)) }
}

/** Reads the log from its start, for as many events as one round has written. */
function reader(name: string, log: EventLog): Contender {
  return {
    name,
    measure: () =>
      perSecond(COMMENTS, async () => {
        let read = 0
        for await (const delivery of log.subscribe(START)) {
          if (delivery.kind !== 'events') throw new Error(`the log has only ${read} events`)
          for (const recorded of delivery.events) {
            const event = eventOf(comment, recorded)
            if (event?.type === 'CommentReceived' && event.data.author.startsWith('fan ')) read += 1
          }
          if (read >= COMMENTS) return
        }
      }),
  }
}

function eraser(deps: EraseDeps & { readonly keys: ReturnType<typeof createErasableKeys> }): Contender {
  const { log, keys } = deps
  return {
    name: 'Fanfare',
    measure: async () => {
      const workspaceId = await receive(log)
      const id = resourceId('ers', ids.ulid())
      const cause = { commandId: id, actor: { kind: 'cli', id: 'bench' }, correlationId: id } as const
      const filter = { workspaceId, before: isoTime(clock.now() + 1) }
      await handle(deps, erasure, id, cause, (state) => requestErasure(state, filter))
      const places = new Map<string, string>()
      const measured = await perSecond(COMMENTS, async () => {
        // The last look, half a minute later, is not waited for.
        while ((await keys.count(filter)).comments > 0)
          await eraseFurther(deps, id, new AbortController().signal, places)
      })
      const { comments } = await keys.erased(workspaceId, id)
      if (comments !== COMMENTS) throw new Error(`${comments} comments were erased instead of ${COMMENTS}`)
      return measured
    },
  }
}

/** Posts of a new workspace, each on a stream of its own. */
async function queue(log: EventLog, follow: readonly PostEvent['type'][] = []): Promise<void> {
  const workspaceId = resourceId('ws', ids.ulid())
  const accountId = resourceId('acc', ids.ulid())
  const attempt = { platform: 'bluesky', accountId, attempt: 1 }
  const data: Readonly<Record<string, object>> = {
    PublishStarted: attempt,
    PublishPrepared: { ...attempt, handle: { rkey: '3l4x', createdAt: isoTime(clock.now()) } },
    AccountPublished: { ...attempt, postId: 'at://did:plc:1/app.bsky.feed.post/3l4x', url: 'https://bsky.app/3l4x' },
    PostFinished: { status: 'published', okCount: 1, total: 1, workspaceId, results: {} },
  }
  let next = 0
  const writer = async () => {
    while ((next += 1) <= POSTS) {
      const stream = `post-${resourceId('post', ids.ulid())}`
      const queued = { type: 'PostQueued', data: postQueued(workspaceId, accountId) }
      const events = [queued, ...follow.map((type) => ({ type, data: data[type] ?? {} }))]
      const appended = events.map((event) => ({ ...event, id: crypto.randomUUID(), metadata: metadata() }))
      await log.append(stream, appended, NO_STREAM)
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
}

function queuer(name: string, log: EventLog): Contender {
  return { name, measure: () => perSecond(POSTS, () => queue(log)) }
}

/** Reads the last published posts of the log with all of their events. */
function postReader(name: string, log: EventLog): Contender {
  const events = POSTS * (1 + PUBLISHING.length)
  return {
    name,
    measure: async () => {
      const after = (await log.head()) - BigInt(events)
      return perSecond(events, async () => {
        let read = 0
        for await (const delivery of log.subscribe(after)) {
          if (delivery.kind !== 'events') throw new Error(`the log has only ${read} events`)
          for (const recorded of delivery.events) {
            const event = eventOf(post, recorded)
            if (event?.type === 'PostQueued' && !event.data.caption.startsWith('A caption')) throw new Error('unread')
            read += 1
          }
          if (read >= events) return
        }
      })
    },
  }
}
