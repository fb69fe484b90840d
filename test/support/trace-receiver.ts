import { createServer } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import * as z from 'zod'

const value = z.union([
  z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.object({ intValue: z.coerce.number() }).transform(({ intValue }) => intValue),
  z
    .object({})
    .passthrough()
    .transform((other) => JSON.stringify(other)),
])
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes: z
    .array(z.object({ key: z.string(), value }))
    .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value]))),
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
  status: z.object({ code: z.number().optional() }).optional(),
})
export type ReceivedSpan = z.output<typeof span>

const batch = z.object({
  resourceSpans: z.array(
    z.object({ resource: z.object({}).passthrough(), scopeSpans: z.array(z.object({ spans: z.array(span) })) }),
  ),
})

/** Takes traces as an OTLP collector does, in JSON. */
export interface TraceReceiver {
  readonly url: string
  readonly spans: readonly ReceivedSpan[]
  /** As it came, headers and all. */
  readonly requests: readonly string[]
}

export async function givenTraceReceiver(t: Test): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = []
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    requests.push(JSON.stringify([request.url, request.headers]), body)
    const { resourceSpans } = batch.parse(JSON.parse(body))
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close().closeAllConnections())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}`, spans, requests }
}
