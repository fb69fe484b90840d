import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { runAsChild } from './child.ts'

/*
 * The target of all URLs in a hostile tenant's posts, feeds and webhooks. The path determines the response: `/silent/1` never
 * responds, `/drip/1` sends a byte at a time, `/slow/1` is just fast enough to avoid the timeout, `/gone/1` responds with 404,
 * `/items/1` and `/text/1` with a feed of almost 5 MB.
 */

const FEED_BYTES = 4_900_000
const SLOW_BYTES = 8_000
const SLOW_MS = 100
const DRIP_MS = 1_000

const feedOf = (piece: string) =>
  Buffer.from(`<rss version="2.0"><channel>${piece.repeat(Math.floor(FEED_BYTES / piece.length))}</channel></rss>`)
const items = feedOf('<item><link>/x</link></item>')
const text = feedOf('&#65;&amp;')

const ANSWERS: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  silent: () => undefined,
  drip: (response) => trickle(response.writeHead(200), Buffer.from('x'), DRIP_MS),
  slow: (response) =>
    trickle(response.writeHead(200, { 'content-type': 'image/jpeg' }), Buffer.alloc(SLOW_BYTES), SLOW_MS),
  gone: (response) => response.writeHead(404).end(),
  items: (response) => response.end(items),
  text: (response) => response.end(text),
}

async function trickle(response: ServerResponse, piece: Buffer, everyMs: number): Promise<void> {
  while (!response.destroyed) {
    response.write(piece)
    await wait(everyMs)
  }
}

const server = createServer(({ url = '' }, response) => {
  response.on('error', () => undefined)
  ANSWERS[url.split('/')[1] ?? '']?.(response)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
await runAsChild({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'none' })
server.closeAllConnections()
server.close()
