import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { systemClock } from '../../infra/runtime/clock.ts'
import { runAsChild } from './child.ts'

/*
 * Accepts every POST with 204 and keeps it without inspecting it, so that all senders have an equal receiver. `GET
 * /?count=N&withinMs=M` returns and clears what has arrived, once there are N messages or after M ms.
 */

const LOOK_EVERY_MS = 5

const received: { at: number; path: string; headers: IncomingHttpHeaders; body: string }[] = []

async function handOver(query: URLSearchParams, response: ServerResponse): Promise<void> {
  const count = Number(query.get('count'))
  const deadline = systemClock.now() + Number(query.get('withinMs'))
  while (received.length < count && systemClock.now() < deadline) await systemClock.sleep(LOOK_EVERY_MS)
  response.end(JSON.stringify(received.splice(0)))
}

const server = createServer((request, response) => {
  const at = systemClock.now()
  const { method, headers, url: path = '' } = request
  if (method === 'GET') return void handOver(new URL(path, 'http://receiver').searchParams, response)
  void text(request).then((body) => {
    received.push({ at, path, headers, body })
    response.writeHead(204).end()
  })
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const address = server.address()
const port = typeof address === 'object' ? address?.port : undefined
await runAsChild({ url: `http://127.0.0.1:${port}`, key: 'none' })
server.closeAllConnections()
server.close()
