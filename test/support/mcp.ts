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
  readonly error:
    | { readonly code: string; readonly message: string; readonly retryAfterS?: number | undefined }
    | undefined
  readonly replayed: boolean
  /** As models read it: the text, and the structured answer where there is one. */
  readonly text: string
  readonly structured: string
}

const resultSchema = z.object({
  content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.literal(true).optional(),
  _meta: z.record(z.string(), z.unknown()).optional(),
})

interface Chosen {
  readonly key: string
  readonly generation?: Generation
  readonly profile?: 'full' | 'tasks'
}

const failure = z.object({ error: envelope.shape.error.extend({ retryAfterS: z.int().positive().optional() }) })

/** The SDK's own client, connected. Without `full`, answers are text alone. */
export async function mcpClient(
  t: Test,
  port: number,
  { key, generation = 'of 2025', profile = 'full' }: Chosen,
): Promise<McpClient> {
  const mode = GENERATIONS[generation]
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const headers = { Authorization: `Bearer ${key}` }
  const url = new URL(`http://127.0.0.1:${port}/mcp${profile === 'full' ? '?profile=full' : ''}`)
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
      const error = isError ? failure.parse(said).error : undefined
      const { text } = content[0]
      if (isError || profile === 'tasks') t.notOk(structuredContent, 'the text says it once')
      else t.same(said, structuredContent, 'the text says the same')
      const answer = isError ? {} : z.record(z.string(), z.unknown()).parse(said)
      const structured = structuredContent ? JSON.stringify(structuredContent) : ''
      return { answer, text, structured, error, replayed: _meta?.['fanfare/idempotentReplayed'] === true }
    },
  }
}
