import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Test } from 'tap'
import * as z from 'zod'
import { envelope } from './api-answer.ts'

/** Both generations of the protocol: that of 2025 begins with a handshake, that of 2026 has none. */
export const GENERATIONS = { 'of 2025': 'legacy', 'of 2026': { pin: '2026-07-28' } } as const
export type Generation = keyof typeof GENERATIONS

export interface McpClient {
  readonly client: Client
  /** Calls a tool; what it answers is `error` or, held against the tool's schema by the client, `answer`. */
  call(name: string, args?: Record<string, unknown>, options?: { readonly signal: AbortSignal }): Promise<ToolAnswer>
}

export interface ToolAnswer {
  readonly answer: Readonly<Record<string, unknown>>
  readonly error: { readonly code: string; readonly message: string } | undefined
  readonly replayed: boolean
}

const resultSchema = z.object({
  content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.literal(true).optional(),
  _meta: z.record(z.string(), z.unknown()).optional(),
})

/** The SDK's own client, connected. */
export async function mcpClient(
  t: Test,
  port: number,
  { key, generation = 'of 2025' }: { readonly key: string; readonly generation?: Generation },
): Promise<McpClient> {
  const mode = GENERATIONS[generation]
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const headers = { Authorization: `Bearer ${key}` }
  const url = new URL(`http://127.0.0.1:${port}/mcp`)
  // Its types do not know `exactOptionalPropertyTypes`.
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  t.teardown(() => client.close())
  return {
    client,
    call: async (name, args = {}, options) => {
      const { content, structuredContent, isError, _meta } = resultSchema.parse(
        await client.callTool({ name, arguments: args }, options),
      )
      const said: unknown = JSON.parse(content[0].text)
      const error = isError ? envelope.parse(said).error : undefined
      if (!isError) t.same(said, structuredContent, 'the text says the same')
      return { answer: structuredContent ?? {}, error, replayed: _meta?.['fanfare/idempotentReplayed'] === true }
    },
  }
}
