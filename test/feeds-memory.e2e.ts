import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { addFeed } from '../commands/feed.ts'
import { handle } from '../commands/handle.ts'
import { feed } from '../domain/feed/rss-feed.ts'
import { postgresLog } from '../event-log/postgres/log.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { bytesOf, rss } from './support/feeds.ts'
import { HOSTILE_DOCUMENTS } from './support/hostile-feeds.ts'
import { httpServer } from './support/outbound-servers.ts'
import { testDatabase, withReadModels } from './support/postgres.ts'
import { givenServing, until } from './support/service-process.ts'
import { causedBy } from './support/world.ts'

/*
 * The service as users run it, in a process of its own, with two workspaces whose feeds are as expensive as can be. What they
 * cost is the most memory that the process took meanwhile, over what it has after ordinary feeds, without their garbage.
 */

const MOST_MB = 64
const SMALL_BYTES = 1_000_000
/** Enough for the young generation to have grown, which can take 48 MB: otherwise, that counts as what the feeds take. */
const ORDINARY_FEEDS = 300
const WORKSPACES = ['ws_1', 'ws_2']

/** Collects the process's garbage when it is sent SIGUSR2. */
const COLLECTOR = `
  import { setFlagsFromString } from 'node:v8'
  import { runInNewContext } from 'node:vm'
  import { isMainThread } from 'node:worker_threads'
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  if (isMainThread) process.on('SIGUSR2', () => collect())`

type Answer = (response: ServerResponse) => void

const sent =
  (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    void response.writeHead(200, headers).end(body)

const inPieces =
  (body: Uint8Array): Answer =>
  (response) => {
    const pieces = Buffer.concat(Array.from(body, (byte) => Buffer.from([0x31, 13, 10, byte, 13, 10])))
    response.socket?.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'), pieces]))
  }

const ordinary = sent(
  rss(
    Array.from(
      { length: 20 },
      (_, n) =>
        `<item><guid>${n}</guid><title>Title ${n}</title><description>${'Some words. '.repeat(300)}</description></item>`,
    ).join(''),
  ),
)

const hostile: readonly (readonly [string, Answer])[] = [
  ...Object.entries(HOSTILE_DOCUMENTS).flatMap(([name, [document]]) => {
    const body = document()
    return body.length < SMALL_BYTES ? [] : [[name, sent(body)] as const]
  }),
  ['gzip of 4.9 MB', sent(gzipSync(rss(' '.repeat(4_900_000))), { 'content-encoding': 'gzip' })],
  ['a gzip bomb', sent(gzipSync(Buffer.alloc(50_000_000, ' ')), { 'content-encoding': 'gzip' })],
  ['a million pieces of a byte', inPieces(bytesOf(rss(' '.repeat(1_000_000))))],
]

t.test(
  'given feeds as expensive as can be, when two workspaces have them checked, then they take at most 64 MB',
  {
    skip: existsSync('/proc/self/clear_refs') ? false : 'only Linux tells the most memory that a process took',
    timeout: 300_000,
  },
  async (t) => {
    const { db, signals, connectionString } = await testDatabase(t, withReadModels)
    const log = postgresLog({ db, signals, clock: systemClock })
    t.teardown(() => log.close())
    const answers = new Map<string, Answer>()
    const server = await httpServer(t, ({ url = '' }, response) => (answers.get(url) ?? ordinary)(response))
    const { pid } = await givenServing(
      t,
      {
        DATABASE_URL: connectionString,
        ENCRYPTION_KEY: randomBytes(32).toString('base64'),
        OUTBOUND_ALLOW: '127.0.0.1',
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(COLLECTOR)}`,
      },
      'projections,reactors',
    )
    let added = 0
    const add = async (answer: Answer) => {
      added += 1
      const path = `/${added}`
      answers.set(path, answer)
      const command = {
        ...{
          workspaceId: WORKSPACES[added % 2] ?? '',
          url: `${server.url}${path}`,
          selections: { bluesky: ['acc_1'] },
        },
        ...{ captionTemplate: '{title}', checkIntervalMinutes: 60 },
      }
      const id = `feed_${added}`
      await handle({ log, clock: systemClock }, feed, id, causedBy(id), (state) => addFeed(state, command))
    }
    const allChecked = () =>
      until('all feeds to be checked', 240_000, async () => {
        const { rows } = await db.query<{ checked: string }>('select count(*) as checked from service.feed_checks')
        return Number(rows[0]?.checked) === added ? true : undefined
      })
    const collected = async () => {
      // What is freed goes back to the system by and by.
      for (let n = 0; n < 5; n += 1) {
        process.kill(pid, 'SIGUSR2')
        await wait(200)
      }
      return memoryOf(pid, 'VmRSS')
    }

    for (let n = 0; n < ORDINARY_FEEDS; n += 1) await add(ordinary)
    await allChecked()
    const idle = await collected()
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    for (const [, answer] of hostile) await add(answer)
    await allChecked()
    const most = memoryOf(pid, 'VmHWM')
    t.comment(`${Math.round(idle)} MB idle, ${Math.round(most)} MB at most`)
    t.ok(most - idle <= MOST_MB, `${hostile.length} kinds of feeds took ${Math.round(most - idle)} MB`)
    const left = (await collected()) - idle
    t.ok(left <= MOST_MB / 2, `${Math.round(left)} MB are left of it`)
  },
)

/** In MB: what it has, or the most that it had since this was last reset. */
function memoryOf(pid: number, what: 'VmRSS' | 'VmHWM'): number {
  const kilobytes = new RegExp(`^${what}:\\s*(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1_000
}
