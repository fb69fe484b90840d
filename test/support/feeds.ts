import { existsSync, readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import type { Test } from 'tap'
import { createFeedParser, type FeedParser } from '../../reactors/feeds/reading/feed-parser.ts'
import { readFeed, type FeedReading } from '../../reactors/feeds/reading/read-feed.ts'
import { systemClock, type Clock } from '../../infra/runtime/clock.ts'
import { client, httpServer } from './outbound-servers.ts'

export const ONE_ITEM = '<item><guid>1</guid><title>One</title><link>https://one.example/1</link></item>'

export function rss(items: string): string {
  return `<rss version="2.0"><channel><link>https://one.example/</link>${items}</channel></rss>`
}

/**
 * Its time is over when this process has had the processor for so long, too, or ten times as long has passed: a document is
 * not too slow because others have the machine.
 */
const workingClock: Clock = {
  now: systemClock.now,
  sleep: async (ms, signal) => {
    const [began, hadBefore] = [systemClock.now(), process.cpuUsage()]
    const had = () => {
      const { user, system } = process.cpuUsage(hadBefore)
      return (user + system) / 1_000
    }
    await systemClock.sleep(ms, signal)
    while (!signal?.aborted && had() < ms && systemClock.now() < began + 10 * ms) await systemClock.sleep(20, signal)
  },
}

/**
 * Ten times as patient as the system's, and counts the processor time, in ms, of what was waited for last: how long a document may
 * take is compared with another one on the same machine, however slow it is.
 */
export function meteredClock(): Clock & { readonly spentMs: number } {
  let spentMs = 0
  return {
    now: systemClock.now,
    sleep: async (ms, signal) => {
      const before = process.cpuUsage()
      await systemClock.sleep(10 * ms, signal)
      const { user, system } = process.cpuUsage(before)
      spentMs = (user + system) / 1_000
    },
    get spentMs() {
      return spentMs
    },
  }
}

/** Closed when the test ends. @param program for threads that run something else */
export function givenParser(t: Test, options: { clock?: Clock; program?: URL } = {}): FeedParser {
  const parser = createFeedParser({ clock: workingClock, ...options })
  t.teardown(() => parser.close())
  return parser
}

/** A thread's program of the test's own. */
export function program(code: string): URL {
  const prelude = "import { parentPort } from 'node:worker_threads'; "
  return new URL(`data:text/javascript,${encodeURIComponent(prelude + code)}`)
}

/** Reads over HTTP what a server of the test's own answers. */
export async function givenReader(
  t: Test,
  answer: RequestListener,
  options: { clock?: Clock } = {},
): Promise<{ url: string; read(path?: string, earlier?: object): Promise<FeedReading> }> {
  const server = await httpServer(t, answer)
  const io = { http: client(t), parser: givenParser(t, options), signal: new AbortController().signal }
  return { url: server.url, read: (path = '/', earlier = {}) => readFeed(server.url + path, earlier, io) }
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

/**
 * The cost of the work to the process: memory in MB, and processor time of the event loop's thread in ms. The longest single block
 * of the loop would depend on how much has arrived when a busy machine gives the thread its turn.
 */
export async function costOf<T>(work: () => Promise<T>): Promise<{ result: T; loopMs: number; grownMb: number }> {
  const [before, began] = [process.memoryUsage.rss(), mainThreadMs()]
  let most = before
  const look = () => (most = Math.max(most, process.memoryUsage.rss()))
  const watch = setInterval(look, 5)
  try {
    const result = await work()
    look()
    return { result, loopMs: mainThreadMs() - began, grownMb: (most - before) / 1e6 }
  } finally {
    clearInterval(watch)
  }
}

/** Of the main thread, as Linux counts. */
const SCHEDULED = '/proc/self/schedstat'

/** Processor time of the main thread so far, in ms; elsewhere, all time. */
function mainThreadMs(): number {
  if (!existsSync(SCHEDULED)) return performance.now()
  const [onProcessorNs = ''] = readFileSync(SCHEDULED, 'utf8').split(' ')
  return Number(onProcessorNs) / 1e6
}
