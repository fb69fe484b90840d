import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Test } from 'tap'
import * as z from 'zod'
import type { AiServer } from '../../infra/runtime/ai-settings.ts'
import { bodyOf, httpServer, type Listening } from './outbound-servers.ts'

export const KEY = 'sk-test-0123456789abcdef'
export const MODEL = 'scribe-2'
/** The model that the alias `MODEL` stands for. */
export const SNAPSHOT = 'scribe-2-2026-10-01'

/** What a server was asked, read by its protocol. */
export interface Asked {
  readonly system: string
  readonly user: string
  readonly maxTokens: number
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: IncomingHttpHeaders
}

/** An answer, or what the server does to the connection instead. */
export type Reply =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string | object }
  | ((response: ServerResponse) => void)

/** How a provider's HTTP API is spoken: each field that is not in its reference, or not asked for here, is refused. */
export interface Protocol {
  readonly provider: AiServer['provider']
  readonly path: string
  keyIn(headers: IncomingHttpHeaders): string | undefined
  /** @throws z.ZodError */
  read(body: unknown): Pick<Asked, 'system' | 'user' | 'maxTokens'>
  answer(text: string, more?: object): object
  /** @param message the server's words */
  error(type: string, message: string): object
}

const bearer = ({ authorization }: IncomingHttpHeaders) => /^Bearer (.+)$/.exec(authorization ?? '')?.[1]
const notStreamed = z.literal(false).optional()
const tokens = z.number().int().min(16)

const chatRequest = z.strictObject({
  model: z.string(),
  messages: z.tuple([
    z.strictObject({ role: z.literal('system'), content: z.string().min(1) }),
    z.strictObject({ role: z.literal('user'), content: z.string().min(1) }),
  ]),
  max_tokens: tokens,
  stream: notStreamed,
})

/** `POST /chat/completions`, as OpenAI, Ollama and vLLM have it. */
export const chatCompletions: Protocol = {
  provider: 'openai-compatible',
  path: '/v1/chat/completions',
  keyIn: bearer,
  read: (body) => {
    const { messages, max_tokens } = chatRequest.parse(body)
    return { system: messages[0].content, user: messages[1].content, maxTokens: max_tokens }
  },
  answer: (text, more = {}) => ({
    ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1_790_000_000, model: SNAPSHOT },
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop', ...more }],
    usage: { prompt_tokens: 57, completion_tokens: 9, total_tokens: 66 },
  }),
  error: (type, message) => ({ error: { message, type, param: null, code: null } }),
}

const responsesRequest = z.strictObject({
  model: z.string(),
  input: z.tuple([
    z.strictObject({ role: z.enum(['system', 'developer']), content: z.string().min(1) }),
    z.strictObject({
      role: z.literal('user'),
      content: z.tuple([z.strictObject({ type: z.literal('input_text'), text: z.string().min(1) })]),
    }),
  ]),
  max_output_tokens: tokens,
  // Absent, it would be kept.
  store: z.literal(false),
  stream: notStreamed,
})

/** `POST /responses` of OpenAI. */
export const responses: Protocol = {
  provider: 'openai',
  path: '/v1/responses',
  keyIn: bearer,
  read: (body) => {
    const { input, max_output_tokens } = responsesRequest.parse(body)
    return { system: input[0].content, user: input[1].content[0].text, maxTokens: max_output_tokens }
  },
  answer: (text, more = {}) => ({
    ...{ id: 'resp_1', object: 'response', created_at: 1_790_000_000, model: SNAPSHOT, status: 'completed' },
    ...{ error: null, incomplete_details: null },
    output: [
      { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'They want it short.' }] },
      {
        ...{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' },
        content: [{ type: 'output_text', text, annotations: [] }],
      },
    ],
    usage: {
      ...{ input_tokens: 57, input_tokens_details: { cached_tokens: 0 } },
      ...{ output_tokens: 9, output_tokens_details: { reasoning_tokens: 4 }, total_tokens: 66 },
    },
    ...more,
  }),
  error: chatCompletions.error,
}

const messagesRequest = z.strictObject({
  model: z.string(),
  system: z.tuple([z.strictObject({ type: z.literal('text'), text: z.string().min(1) })]),
  messages: z.tuple([
    z.strictObject({
      role: z.literal('user'),
      content: z.tuple([z.strictObject({ type: z.literal('text'), text: z.string().min(1) })]),
    }),
  ]),
  max_tokens: tokens,
  stream: notStreamed,
})

/** `POST /messages` of Anthropic. */
export const messages: Protocol = {
  provider: 'anthropic',
  path: '/v1/messages',
  keyIn: (headers) => (headers['anthropic-version'] === '2023-06-01' ? headers['x-api-key']?.toString() : undefined),
  read: (body) => {
    const { system, messages: said, max_tokens } = messagesRequest.parse(body)
    return { system: system[0].text, user: said[0].content[0].text, maxTokens: max_tokens }
  },
  answer: (text, more = {}) => ({
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: SNAPSHOT },
    content: [
      { type: 'thinking', thinking: 'They want it short.', signature: 'c2ln' },
      { type: 'text', text },
    ],
    ...{ stop_reason: 'end_turn', stop_sequence: null, usage: { input_tokens: 57, output_tokens: 9 } },
    ...more,
  }),
  error: (type, message) => ({ type: 'error', error: { type, message } }),
}

export interface AiUnderTest extends Listening {
  /** As a setting. */
  readonly baseUrl: string
  /** Requests that were right, in order. */
  readonly asked: readonly Asked[]
}

/**
 * A provider on loopback. What it does not take it refuses, as the provider does: 404, 401 and 400.
 *
 * @param reply what it says to the request of this number, from 1
 */
export async function givenAi(t: Test, protocol: Protocol, reply: (number: number) => Reply): Promise<AiUnderTest> {
  const asked: Asked[] = []
  const server = await httpServer(t, async (request, response) => {
    const bytes = await bodyOf(request)
    const refuse = (status: number, type: string) => send(response, { status, body: protocol.error(type, type) })
    if (request.method !== 'POST' || request.url !== protocol.path) return refuse(404, 'not_found_error')
    if (protocol.keyIn(request.headers) !== KEY) return refuse(401, 'authentication_error')
    try {
      const body = z.record(z.string(), z.unknown()).parse(JSON.parse(bytes))
      asked.push({ ...protocol.read(body), body, headers: request.headers })
    } catch (error) {
      return send(response, { status: 400, body: protocol.error('invalid_request_error', String(error)) })
    }
    send(response, reply(asked.length))
  })
  return { ...server, baseUrl: `${server.url}/v1`, asked }
}

function send(response: ServerResponse, reply: Reply): void {
  if (typeof reply === 'function') return reply(response)
  const { status = 200, headers = {}, body } = reply
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}
