import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { RequestListener } from 'node:http'
import type { Test } from 'tap'
import { createFeedParser, type FeedParser } from '../../reactors/feed/feed-parser.ts'
import { readFeed, type FeedReading } from '../../reactors/feed/read-feed.ts'
import { systemClock, type Clock } from '../../system/clock.ts'
import { client, httpServer } from './outbound-servers.ts'

export const ONE_ITEM = '<item><guid>1</guid><title>One</title><link>https://one.example/1</link></item>'

export function rss(items: string): string {
  return `<rss version="2.0"><channel><link>https://one.example/</link>${items}</channel></rss>`
}

/** Ten seconds are one to it: a document is not too slow because the machine is. */
const patientClock: Clock = { now: systemClock.now, sleep: (ms, signal) => systemClock.sleep(10 * ms, signal) }

/** Closed when the test ends. @param program for threads that run something else */
export function givenParser(t: Test, options: { clock?: Clock; program?: URL } = {}): FeedParser {
  const parser = createFeedParser({ clock: patientClock, ...options })
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
): Promise<{ url: string; read(path?: string, earlier?: object): Promise<FeedReading> }> {
  const server = await httpServer(t, answer)
  const io = { http: client(t), parser: givenParser(t), signal: new AbortController().signal }
  return { url: server.url, read: (path = '/', earlier = {}) => readFeed(server.url + path, earlier, io) }
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** What the work costs the process that it is done in: the loop's longest lag in ms, and memory in MB. */
export async function costOf<T>(work: () => Promise<T>): Promise<{ result: T; lagMs: number; grownMb: number }> {
  const lag = monitorEventLoopDelay({ resolution: 5 })
  const before = process.memoryUsage.rss()
  let most = before
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 10)
  lag.enable()
  try {
    const result = await work()
    return { result, lagMs: lag.max / 1e6, grownMb: (most - before) / 1e6 }
  } finally {
    lag.disable()
    clearInterval(watch)
  }
}
