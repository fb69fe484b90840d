import type { Core } from '../../app/wiring/core.ts'
import { post } from '../../domain/post/post.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { beginStream } from './begin-stream.ts'
import { mustSucceed } from './delivery-outcomes.ts'
import { hands } from './pace.ts'
import { ids, postQueued } from './post.ts'
import { startReceiver } from './receiver.ts'
import { compare, takeTurns, type Comparison, type RoundOptions } from './rounds.ts'
import { connectIn } from './scheduled-posts.ts'
import type { Server } from './server.ts'
import { shownAsPublished, startStack } from './stack.ts'
import { registerWebhooks } from './webhooks.ts'

const POSTS = 1_000
const ACCOUNTS = 3
const APPENDS_AT_ONCE = 64

/**
 * What a post leaves on the disk that is published on three accounts and told to one webhook: its events, read models and
 * indexes, against the same events as lines of JSON.
 */
export async function benchSize(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const closing: (() => Promise<unknown>)[] = []
  try {
    const receiver = await startReceiver()
    closing.unshift(receiver.stop)
    const { core, stop } = await startStack(server, 'size', {
      environment: { OUTBOUND_ALLOW: new URL(receiver.url).host },
      ...{ roles: ['projections,reactors'], servers: {} },
    })
    closing.unshift(stop)
    const workspaceId = resourceId('ws', ids.ulid())
    const accountIds = (await connectIn(core, [workspaceId], ACCOUNTS)).map(({ id }) => id)
    await registerWebhooks(core, receiver.url, { workspaces: [workspaceId], each: 1 })

    let asJson = NaN
    const kept = async () => {
      const [before, head] = [await sizesOf(core), await core.log.head()]
      const hand = hands(APPENDS_AT_ONCE)
      const posts = await Promise.all(
        Array.from({ length: POSTS }, () => hand(() => queuedOn(core, workspaceId, accountIds))),
      )
      await shownAsPublished(core, posts)
      await receiver.take(POSTS)
      await mustSucceed(
        core,
        posts.map((id) => ({ id, workspaceId })),
        POSTS,
      )
      const after = await sizesOf(core)
      const events = await eventsAfter(core, head)
      asJson = events.bytes / POSTS / 1_000
      const each = Object.keys(after).map((schema) => [schema, ((after[schema] ?? 0) - (before[schema] ?? 0)) / POSTS])
      const parts = each.map(([schema, bytes]) => `${schema} ${(Number(bytes) / 1_000).toFixed(1)} kB`)
      options.progress(`    ${(events.count / POSTS).toFixed(1)} events per post: ${parts.join(', ')}`)
      return { perSecond: each.reduce((sum, [, bytes]) => sum + Number(bytes), 0) / 1_000 }
    }
    const contenders = [
      { name: 'Fanfare', measure: kept },
      { name: 'its events as JSON', measure: async () => ({ perSecond: asJson }) },
    ]
    const [ours = [], theirs = []] = await takeTurns(contenders, options)
    const what = `on disk, per post on ${ACCOUNTS} accounts with a webhook`
    return [compare(what, 'kB', { name: 'Fanfare', rounds: ours }, { name: 'its events as JSON', rounds: theirs })]
  } finally {
    for (const close of closing) await close()
  }
}

async function queuedOn({ log }: Core, workspaceId: string, accountIds: readonly string[]): Promise<string> {
  const id = resourceId('post', ids.ulid())
  const { hashtags, ...content } = postQueued(workspaceId, '')
  const data = { ...content, selections: { bluesky: [...accountIds] }, hashtags: [...hashtags] }
  await beginStream(log, post, id, { type: 'PostQueued', data })
  return id
}

/** Bytes of tables with their indexes, by schema. Dead rows are removed before, as they are reused. */
async function sizesOf({ db }: Core): Promise<Readonly<Record<string, number>>> {
  await db.query('vacuum')
  const { rows } = await db.query<{ schema: string; bytes: string }>(
    `select nspname as schema, sum(pg_total_relation_size(c.oid)) as bytes from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     where nspname in ('log', 'read', 'service') and relkind = 'r' group by nspname`,
  )
  return Object.fromEntries(rows.map(({ schema, bytes }) => [schema, Number(bytes)]))
}

async function eventsAfter(
  { log }: Core,
  position: bigint,
): Promise<{ readonly count: number; readonly bytes: number }> {
  let [count, bytes] = [0, 0]
  for await (const delivery of log.subscribe(position)) {
    if (delivery.kind === 'caught-up') break
    for (const { stream, type, data, metadata } of delivery.events) {
      count += 1
      bytes += Buffer.byteLength(JSON.stringify({ stream, type, data, metadata })) + 1
    }
  }
  return { count, bytes }
}
