import { columnNames } from '../../projections/engine/columns.ts'
import * as z from 'zod'
import type { RecordedEvent } from '../../domain/core/event.ts'
import { PLATFORM_KEYS } from '../../domain/core/platform.ts'
import { START } from '../../event-log/event-log.ts'
import type { Core } from '../../app/wiring/core.ts'
import { projections } from '../../projections/models/index.ts'
import { resetTables } from '../../projections/engine/tables.ts'
import type { Client } from './client.ts'
import type { Evidence, Hook, ShownPost } from './evidence.ts'
import { sandbox, type Scene } from './load/scene.ts'

const optional = z.string().optional()
const results = z.record(z.string(), z.array(z.object({ ok: z.boolean(), error: optional })))
const page = z.object({ nextCursor: z.string().nullish() }).passthrough()
const post = z.object({ id: z.string(), status: z.string(), caption: z.string(), publishResults: results })
const video = z.object({ id: z.string(), status: z.string(), statusMessage: optional })
const entry = z.object({
  kind: z.enum(['granted', 'charged', 'refunded']),
  amount: z.number(),
  balance: z.number(),
  videoId: optional,
})
const delivery = z.object({ id: z.string(), eventId: z.string(), status: z.string(), attempts: z.number() })
const reply = z.object({ id: z.string(), status: z.string(), commentId: z.string() })
const event = z.object({
  id: z.string(),
  event: z.string(),
  createdAt: z.string(),
  data: z.record(z.string(), z.unknown()),
})
const credits = z.object({ credits: z.number() })

/** All items of a list, page by page. */
async function listed<T>(client: Client, path: string, plural: string, item: z.ZodType<T>): Promise<readonly T[]> {
  const items: T[] = []
  const join = path.includes('?') ? '&' : '?'
  for (let cursor = ''; ;) {
    const isPage = ({ status }: { readonly status?: number }) => status === 200
    const { body } = await client.insist('GET', `${path}${join}limit=100${cursor}`, {}, isPage)
    const found = page.parse(body)
    const more = z.array(item).parse(found[plural])
    items.push(...more)
    // The feed of events has always a next cursor, and ends with an empty page.
    if (found.nextCursor == null || (plural === 'events' && more.length === 0)) return items
    cursor = `&${plural === 'events' ? 'after' : 'cursor'}=${found.nextCursor}`
  }
}

export const listedPosts = (client: Client): Promise<readonly ShownPost[]> => listed(client, '/posts', 'posts', post)

/** Comments that are not shown with a reply. */
export async function unanswered({ client, requested }: Scene): Promise<readonly string[]> {
  const comments = await listed(client, '/comments?replied=true', 'comments', z.object({ text: z.string() }))
  const replied = new Set(comments.map(({ text }) => text))
  return requested.comments.filter((text) => !replied.has(text))
}

/** Webhooks that do not have a settled delivery of each event yet. */
export async function untold(client: Client, hooks: readonly Asked[]): Promise<readonly string[]> {
  const told = await listed(client, '/events', 'events', event)
  const late = hooks.map(async ({ id, events }) => {
    const deliveries = await listed(client, `/webhooks/${id}/deliveries`, 'deliveries', delivery)
    const settled = deliveries.filter(({ status }) => status !== 'pending').length
    return settled < told.filter(({ event }) => events.includes(event)).length ? [`webhook ${id}`] : []
  })
  return (await Promise.all(late)).flat()
}

type Asked = Pick<Hook, 'id' | 'events'>

/** What the API shows, and what the world outside remembers. */
export async function shownBy(client: Client, hooks: readonly Asked[]) {
  const statuses = ['pending', 'sending', 'failed', 'sent']
  return {
    posts: await listedPosts(client),
    videos: await listed(client, '/videos', 'videos', video),
    replies: (
      await Promise.all(statuses.map((status) => listed(client, `/replies/pending?status=${status}`, 'replies', reply)))
    ).flat(),
    ledger: (await listed(client, '/credits/ledger', 'entries', entry)).toReversed(),
    balance: credits.parse((await client.insist('GET', '/credits')).body).credits,
    told: await listed(client, '/events', 'events', event),
    deliveries: new Map(
      await Promise.all(
        hooks.map(
          async ({ id }) => [id, await listed(client, `/webhooks/${id}/deliveries`, 'deliveries', delivery)] as const,
        ),
      ),
    ),
  }
}

const livePosts = z.array(z.object({ id: z.string(), accountId: z.string(), caption: z.string() }))
const liveComments = z.array(
  z.object({ id: z.string(), writtenBy: z.enum(['account', 'fan']), text: z.string(), inReplyTo: optional }),
)
const jobs = z.array(z.object({ key: z.string(), prompt: z.string() }))

/** What the sandbox remembers. */
export async function remembered(
  scene: Pick<Scene, 'sandboxUrl'>,
): Promise<Pick<Evidence, 'live' | 'comments' | 'jobs'>> {
  const found = await Promise.all(
    PLATFORM_KEYS.map(async (platform) => {
      const posts = livePosts.parse(await sandbox(scene, `/posts?platform=${platform}`))
      const accounts = [...new Set(posts.map(({ accountId }) => accountId))]
      const comments = await Promise.all(
        accounts.map((accountId) => sandbox(scene, `/comments?${new URLSearchParams({ platform, accountId })}`)),
      )
      return {
        live: posts.map((post) => ({ ...post, platform })),
        comments: comments.flatMap((of) => liveComments.parse(of)).map((comment) => ({ ...comment, platform })),
      }
    }),
  )
  return {
    live: found.flatMap(({ live }) => live),
    comments: found.flatMap(({ comments }) => comments),
    jobs: jobs.parse(await sandbox(scene, '/videos')),
  }
}

export async function wholeLog({ log }: Pick<Core, 'log'>): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = []
  for await (const delivery of log.subscribe(START)) {
    if (delivery.kind === 'caught-up') break
    events.push(...delivery.events)
  }
  return events
}

/** Rebuilds every read model, and returns the rows that differ. Nothing else may be writing. */
export async function rebuilt(core: Core): Promise<readonly string[]> {
  const rows = async () => {
    const tables = projections.map(async ({ name, columns }) => {
      const sql = `select id, md5(row(${columnNames(columns).join(', ')})::text) as sum from read.${name}`
      const { rows } = await core.db.query<{ id: string; sum: string }>(sql)
      return [name, new Map(rows.map(({ id, sum }) => [id, sum]))] as const
    })
    return new Map(await Promise.all(tables))
  }
  await core.projector.catchUp()
  const before = await rows()
  await resetTables(core.db, projections)
  await core.projector.catchUp()
  const after = await rows()
  return projections.flatMap(({ name }) => {
    const [was, is] = [before.get(name), after.get(name)]
    const ids = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])]
    return ids.filter((id) => was?.get(id) !== is?.get(id)).map((id) => `${name} ${id} differs from its rebuild`)
  })
}
