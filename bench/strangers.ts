import { createServer } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from '../cli/accounts.ts'
import { addWorkspace } from '../cli/workspaces.ts'
import { feed } from '../domain/rss-feed.ts'
import { streamName } from '../domain/event.ts'
import { post } from '../domain/post.ts'
import { webhook } from '../domain/webhook.ts'
import type { Core } from '../main.ts'
import { startSandbox, type Sandbox } from '../sandbox/index.ts'
import { systemClock } from '../system/clock.ts'
import { resourceId } from '../system/ids.ts'
import { beginStream } from './begin-stream.ts'
import { atMoments, moments } from './pace.ts'
import { ids } from './post.ts'
import { compare, takeTurns, type Comparison, type RoundOptions } from './rounds.ts'
import type { Server } from './server.ts'
import { startAtWork } from './service.ts'
import { percentile, type Measured } from './stats.ts'

const ALONE_MS = 60_000
const ATTACK_MS = 300_000
const POST_EVERY_MS = 500
const VICTIM_ACCOUNTS = 3
const STRANGERS = 2
const ACCOUNTS_EACH = 10
/** A feed and a webhook that hang, for each account. */
const ATTACK_EVERY_MS = 100
const PATIENCE_MS = 120_000

interface Tenant {
  readonly workspaceId: string
  readonly accounts: readonly string[]
}

/**
 * How long a tenant's posts take beside two others whose media hosts, feeds and webhook receivers never answer, against how long they
 * take alone.
 */
export async function benchStrangers(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const closing: (() => Promise<unknown>)[] = []
  try {
    const silent = createServer((socket) => void socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    closing.unshift(async () => void silent.close())
    const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', clock: systemClock, ids })
    closing.unshift(() => sandbox.close())
    const { core, stop } = await startAtWork(server, 'strangers', { OUTBOUND_ALLOW: '127.0.0.1' })
    closing.unshift(stop)
    const victim = await tenant(core, sandbox, 'victim', VICTIM_ACCOUNTS)
    const strangers: Tenant[] = []
    for (let n = 0; n < STRANGERS; n += 1) strangers.push(await tenant(core, sandbox, `stranger ${n}`, ACCOUNTS_EACH))
    const nowhere = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
    for (const stranger of strangers) await hang(core, stranger, nowhere)

    const picture = `${sandbox.url}/media/sample.jpg`
    const alone = { name: 'alone', measure: () => latencies(core, victim, picture, ALONE_MS) }
    const attacked = {
      name: 'beside two hostile tenants',
      measure: async () => {
        const until = core.clock.now() + ATTACK_MS
        const attack = strangers.map((stranger) => flood(core, stranger, nowhere, until))
        const measured = await latencies(core, victim, picture, ATTACK_MS)
        await Promise.all(attack)
        return measured
      },
    }
    const [theirs = [], ours = []] = await takeTurns([alone, attacked], { ...options, warmUps: 0 })
    const aim = { ratio: 3, isMost: true } as const
    return [compare('a post, p99', 'ms', { ...attacked, rounds: ours }, { ...alone, rounds: theirs }, aim)]
  } finally {
    for (const close of closing) await close()
  }
}

async function tenant(core: Core, sandbox: Sandbox, name: string, accounts: number): Promise<Tenant> {
  const { id: workspaceId } = await addWorkspace(core, name)
  const made: string[] = []
  for (let n = 0; n < accounts; n += 1) {
    const response = await core.http.request(`${sandbox.url}/_control/accounts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ platform: 'x', label: `${name} ${n}` }),
    })
    const { label, credentials, baseUrl } = response.json() as {
      label: string
      credentials: Record<string, string>
      baseUrl: string
    }
    const account = { platform: 'x', workspace: workspaceId, label, credentials, baseUrl }
    made.push((await connect(core, account)).id)
  }
  return { workspaceId, accounts: made }
}

/** Feeds and webhooks whose servers take the connection and say nothing. */
async function hang({ log }: Core, { workspaceId, accounts }: Tenant, nowhere: string): Promise<void> {
  for (const [n, accountId] of accounts.entries()) {
    await beginStream(log, feed, resourceId('feed', ids.ulid()), {
      type: 'FeedAdded',
      data: {
        ...{ workspaceId, url: `${nowhere}feed-${n}.xml`, selections: { x: [accountId] } },
        ...{ captionTemplate: '{title}', checkIntervalMinutes: 15 },
      },
    })
    await beginStream(log, webhook, resourceId('wh', ids.ulid()), {
      type: 'WebhookRegistered',
      data: { workspaceId, url: `${nowhere}hook-${n}`, events: ['post.published', 'post.failed'] },
    })
  }
}

async function flood(core: Core, { workspaceId, accounts }: Tenant, nowhere: string, until: number): Promise<void> {
  for (let n = 0; core.clock.now() < until; n += 1) {
    await queue(core, workspaceId, [accounts[n % accounts.length] ?? ''], `${nowhere}${n}.jpg`)
    await core.clock.sleep(ATTACK_EVERY_MS)
  }
}

/** @throws Error when a post is not published */
async function latencies(
  core: Core,
  { workspaceId, accounts }: Tenant,
  picture: string,
  forMs: number,
): Promise<Measured> {
  const { clock, db } = core
  const due = moments(clock.now(), POST_EVERY_MS, Math.floor(forMs / POST_EVERY_MS))
  const streams = await atMoments(clock, due, () => queue(core, workspaceId, accounts, picture))
  const deadline = clock.now() + PATIENCE_MS
  for (;;) {
    const { rows } = await db.query<{ ms: number }>(
      `select extract(epoch from max(recorded_at) - min(recorded_at)) * 1000 as ms from log.events
       where stream = any($1) and (type = 'PostQueued' or (type = 'PostFinished' and data->>'status' = 'published'))
       group by stream having count(*) = 2`,
      [streams],
    )
    if (rows.length === streams.length) {
      const ms = rows.map((row) => Number(row.ms))
      const p99 = percentile(ms, 99)
      return { perSecond: p99, p50: percentile(ms, 50), p99 }
    }
    if (clock.now() > deadline) throw new Error(`${rows.length} of ${streams.length} posts were published`)
    await clock.sleep(POST_EVERY_MS)
  }
}

async function queue(
  { log }: Core,
  workspaceId: string,
  accounts: readonly string[],
  mediaUrl: string,
): Promise<string> {
  const id = resourceId('post', ids.ulid())
  await beginStream(log, post, id, {
    type: 'PostQueued',
    data: {
      ...{ workspaceId, origin: 'api', mediaUrl, mediaType: 'image', selections: { x: [...accounts] } },
      ...{ caption: id, captionOverrides: {}, hashtags: [] },
    },
  })
  return streamName(post, id)
}
