import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { connect } from '../../app/cli/accounts.ts'
import { addKey } from '../../app/cli/keys.ts'
import { addWorkspace } from '../../app/cli/workspaces.ts'
import { feed } from '../../domain/feed/rss-feed.ts'
import { webhook } from '../../domain/webhook/webhook.ts'
import type { Core } from '../../app/wiring/core.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { beginStream } from './begin-stream.ts'
import { startChild } from './child.ts'
import { atMoments, moments } from './pace.ts'
import { ids } from './post.ts'
import { compare, takeTurns, type Comparison, type RoundOptions } from './rounds.ts'
import type { Server } from './server.ts'
import { startAtWork } from './service.ts'
import { percentile, type Measured } from './stats.ts'

const POST_EVERY_MS = 500
const VICTIM_ACCOUNTS = 3
/** Posts before measuring. */
const WARM_UP_POSTS = 20
const STRANGERS = 2
const OF_EACH = { accounts: 10, keys: 5, feeds: 40, webhooks: 10 }
/** Twice the rate limit of a workspace: half of the requests are refused. */
const ASK_EVERY_MS = 100
/** How long the strangers run before the victim's posts are measured. */
const LEAD_MS = 20_000
const PATIENCE_MS = 120_000

const MEDIA = ['silent', 'drip', 'slow', 'gone']
const FEEDS = ['silent', 'drip', 'items', 'text']
const RECEIVERS = ['silent', 'drip', 'gone']

interface Tenant {
  readonly workspaceId: string
  readonly keys: readonly string[]
  readonly accounts: readonly { readonly id: string; readonly externalId: string }[]
  readonly feeds: readonly string[]
}

interface Scene {
  readonly core: Core
  /** URL of the API. */
  readonly url: string
  readonly sandbox: string
  /** URL of the hostile hosts. */
  readonly hostile: string
}

/**
 * How long a tenant's posts take, from the request to the last account, beside two others that exhaust their rate limit and whose
 * media hosts, feeds and webhook receivers are as hostile as possible, against how long they take alone. Each of the two
 * scenarios has its own service and database.
 */
export async function benchStrangers(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const forMs = options.minutes * 60_000
  let scenes = 0
  const contender = (name: string, strangers: number) => ({
    name,
    measure: () =>
      inScene(server, `strangers_${(scenes += 1)}`, (scene) => measured(scene, { strangers, forMs }, options.progress)),
  })
  const alone = contender('alone', 0)
  const beside = contender('beside two hostile tenants', STRANGERS)
  const [theirs = [], ours = []] = await takeTurns([alone, beside], { ...options, warmUps: 0 })
  const aim = { ratio: 3, isMost: true } as const
  return [compare('a post, p99', 'ms', { ...beside, rounds: ours }, { ...alone, rounds: theirs }, aim)]
}

async function inScene<T>(server: Server, name: string, play: (scene: Scene) => Promise<T>): Promise<T> {
  const closing: (() => Promise<unknown>)[] = []
  try {
    const hostile = await startChild('./hostile-hosts.js', {})
    closing.unshift(hostile.stop)
    const sandbox = await startChild('./sandbox-service.js', {})
    closing.unshift(sandbox.stop)
    const environment = { OUTBOUND_ALLOW: '127.0.0.1', SANDBOX: 'off', PORT: '0' }
    const service = await startAtWork(server, name, environment, './whole-service.js')
    closing.unshift(service.stop)
    return await play({ core: service.core, url: service.url, sandbox: sandbox.url, hostile: hostile.url })
  } finally {
    for (const close of closing) await close()
  }
}

async function measured(
  scene: Scene,
  { strangers, forMs }: { readonly strangers: number; readonly forMs: number },
  progress: RoundOptions['progress'],
): Promise<Measured> {
  const victim = await tenant(scene, 'victim', { accounts: VICTIM_ACCOUNTS, keys: 5, feeds: 0, webhooks: 0 })
  await latencies(scene, victim, WARM_UP_POSTS)
  const stopping = new AbortController()
  const attacks: Promise<Asked>[] = []
  for (let n = 0; n < strangers; n += 1) {
    attacks.push(flood(scene, await tenant(scene, `stranger ${n}`, OF_EACH), stopping.signal))
  }
  try {
    if (strangers > 0) await wait(LEAD_MS)
    return await latencies(scene, victim, Math.floor(forMs / POST_EVERY_MS))
  } finally {
    stopping.abort()
    for (const { accepted, refused, failed } of await Promise.all(attacks)) {
      progress(`    a stranger's requests: ${accepted} accepted, ${refused} over the limit, ${failed} otherwise`)
      if (accepted === 0) throw new Error('no request of a stranger was accepted: there was no attack')
    }
  }
}

/** The results of a stranger's requests. */
interface Asked {
  readonly accepted: number
  readonly refused: number
  readonly failed: number
}

async function tenant({ core, sandbox, hostile }: Scene, name: string, has: typeof OF_EACH): Promise<Tenant> {
  const { id: workspaceId } = await addWorkspace(core, name)
  const accounts: Tenant['accounts'][number][] = []
  for (let n = 0; n < has.accounts; n += 1) {
    const body = JSON.stringify({ platform: 'x', label: `${name} ${n}` })
    const headers = { 'content-type': 'application/json' }
    const made = madeSchema.parse(await json(fetch(`${sandbox}/_control/accounts`, { method: 'POST', headers, body })))
    const { id } = await connect(core, { platform: 'x', workspace: workspaceId, ...made })
    accounts.push({ id, externalId: made.externalId })
  }
  const keys: string[] = []
  for (let n = 0; n < has.keys; n += 1) keys.push((await addKey(core, { workspace: workspaceId, scopes: 'all' })).key)
  const feeds: string[] = []
  for (let n = 0; n < has.feeds; n += 1) {
    const id = resourceId('feed', ids.ulid())
    await beginStream(core.log, feed, id, {
      type: 'FeedAdded',
      data: {
        ...{ workspaceId, url: `${hostile}/${inTurn(FEEDS, n)}/${id}`, selections: { bluesky: ['none'] } },
        ...{ captionTemplate: '{title}', checkIntervalMinutes: 15 },
      },
    })
    feeds.push(id)
  }
  for (let n = 0; n < has.webhooks; n += 1) {
    await beginStream(core.log, webhook, resourceId('wh', ids.ulid()), {
      type: 'WebhookRegistered',
      data: { workspaceId, url: `${hostile}/${inTurn(RECEIVERS, n)}/${n}`, events: ['post.published', 'post.failed'] },
    })
  }
  return { workspaceId, keys, accounts, feeds }
}

const madeSchema = z.object({
  label: z.string(),
  externalId: z.string(),
  baseUrl: z.string(),
  credentials: z.record(z.string(), z.string()),
})

/** Sends requests without waiting for responses. */
async function flood({ url, hostile }: Scene, { keys, accounts, feeds }: Tenant, signal: AbortSignal): Promise<Asked> {
  const asked = { accepted: 0, refused: 0, failed: 0 }
  const answered = async (answer: Promise<Response>) => {
    const response = await answer
    await response.arrayBuffer()
    asked[response.ok ? 'accepted' : response.status === 429 ? 'refused' : 'failed'] += 1
  }
  for (let n = 0; !signal.aborted; n += 1) {
    const post = {
      ...{ mediaUrl: `${hostile}/${inTurn(MEDIA, n)}/${n}`, mediaType: 'image', caption: `${n}` },
      selections: { x: [inTurn(accounts, n).id] },
    }
    const asks = [
      () => ['/posts', post],
      () => ['/posts', post],
      () => [`/rss-feeds/${inTurn(feeds, n)}/check-now`, {}],
      () => ['/posts/preview', post],
      () => ['/posts?limit=100'],
    ] as const
    const [path, body] = inTurn(asks, n)()
    void answered(ask(`${url}${path}`, inTurn(keys, n), body, signal)).catch(() => undefined)
    await wait(ASK_EVERY_MS)
  }
  return asked
}

interface Accepted {
  readonly stream: string
  readonly caption: string
  /** When its request started, ms since the epoch. */
  readonly at: number
}

/** @throws Error when a post is refused, or is not live exactly once on each account */
async function latencies(scene: Scene, victim: Tenant, count: number): Promise<Measured> {
  const { core, url, sandbox } = scene
  const { clock } = core
  const due = moments(clock.now(), POST_EVERY_MS, count)
  const posts = await atMoments(clock, due, async (index): Promise<Accepted> => {
    const at = clock.now()
    const caption = ids.ulid()
    const response = await ask(`${url}/posts`, inTurn(victim.keys, index), {
      ...{ mediaUrl: `${sandbox}/media/sample.jpg`, mediaType: 'image', caption },
      selections: { x: victim.accounts.map(({ id }) => id) },
    })
    if (response.status !== 202)
      throw new Error(`a post was answered with ${response.status}: ${await response.text()}`)
    return { stream: `post-${acceptedSchema.parse(await response.json()).id}`, caption, at }
  })
  const ms = await published(core, posts)
  await mustBeLive(sandbox, victim, posts)
  const p99 = percentile(ms, 99)
  return { perSecond: p99, p50: percentile(ms, 50), p99 }
}

const acceptedSchema = z.object({ id: z.string() })

/** @returns how long each took */
async function published({ db, clock }: Core, posts: readonly Accepted[]): Promise<readonly number[]> {
  const deadline = clock.now() + PATIENCE_MS
  for (;;) {
    const { rows } = await db.query<{ stream: string; at: string }>(
      `select stream, recorded_at as at from log.events
       where stream = any($1) and type = 'PostFinished' and data->>'status' = 'published'`,
      [posts.map(({ stream }) => stream)],
    )
    if (rows.length === posts.length) {
      const ended = new Map(rows.map(({ stream, at }) => [stream, Date.parse(at)]))
      return posts.map(({ stream, at }) => (ended.get(stream) ?? NaN) - at)
    }
    if (clock.now() > deadline) throw new Error(`${rows.length} of ${posts.length} posts were published`)
    await clock.sleep(POST_EVERY_MS)
  }
}

async function mustBeLive(sandbox: string, { accounts }: Tenant, posts: readonly Accepted[]): Promise<void> {
  for (const { externalId } of accounts) {
    const url = `${sandbox}/_control/posts?platform=x&accountId=${encodeURIComponent(externalId)}`
    const live = z.array(z.object({ caption: z.string() })).parse(await json(fetch(url)))
    const counts = new Map<string, number>()
    for (const { caption } of live) counts.set(caption, (counts.get(caption) ?? 0) + 1)
    const wrong = posts.filter(({ caption }) => counts.get(caption) !== 1)
    if (wrong.length > 0)
      throw new Error(`${wrong.length} of ${posts.length} posts are not live exactly once on ${externalId}`)
  }
}

function ask(url: string, key: string, body?: object, signal?: AbortSignal): Promise<Response> {
  const patience = AbortSignal.timeout(PATIENCE_MS)
  return fetch(url, {
    signal: signal ? AbortSignal.any([signal, patience]) : patience,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
}

async function json(answer: Promise<Response>): Promise<unknown> {
  return (await answer).json()
}

function inTurn<T>(all: readonly T[], n: number): T {
  const one = all[n % all.length]
  if (one === undefined) throw new Error('there is nothing to choose from')
  return one
}
