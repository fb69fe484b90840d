import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Test } from 'tap'
import * as z from 'zod'
import type { SpeechServer, VideoServer } from '../../infra/runtime/generation-settings.ts'
import { bodyOf, httpServer, type Listening } from './outbound-servers.ts'

export const KEY = 'key-test-0123456789abcdef'
export const CLIP_HOST = 'https://clips.test'

/** An answer, or what the server does to the connection instead. */
export type Reply =
  | {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body: string | Buffer | object
    }
  | ((response: ServerResponse) => void)

/** What a server was asked to make. */
export interface Order {
  readonly prompt: string
  readonly aspectRatio: string
}

/** How a provider keeps its jobs: each field that is not in its reference, or not asked for here, is refused. */
export interface VideoProtocol {
  readonly provider: VideoServer['provider']
  readonly model: string
  /** The path of the base URL, and those below it. */
  readonly base: string
  readonly submitPath: string
  pollPath(id: string): string
  keyIn(headers: IncomingHttpHeaders): string | undefined
  /** @throws z.ZodError */
  read(body: unknown, headers: IncomingHttpHeaders): Order
  begun(id: string): Reply
  waiting(id: string): Reply
  done(id: string): Reply
  /** The address of the clip in the end. @param base URL of the server */
  clipUrl(id: string, base: string): string
  /** A job that came to nothing. */
  failed(id: string, words: string): Reply
  /** A request that is refused. */
  refusal(status: number, words: string): Reply
}

const bearer = ({ authorization }: IncomingHttpHeaders) => /^Bearer (.+)$/.exec(authorization ?? '')?.[1]
const ratio = z.enum(['9:16', '1:1', '16:9'])

const falRequest = z.strictObject({ prompt: z.string(), aspect_ratio: ratio })

/** fal.ai/docs: the queue. The addresses of a job leave out the path after owner and app. */
export const fal: VideoProtocol = {
  ...{
    provider: 'fal',
    model: 'fal-ai/clips/v2/text-to-video',
    base: '',
    submitPath: '/fal-ai/clips/v2/text-to-video',
  },
  pollPath: (id) => `/fal-ai/clips/requests/${id}`,
  keyIn: ({ authorization }) => /^Key (.+)$/.exec(authorization ?? '')?.[1],
  read: (body) => {
    const { prompt, aspect_ratio } = falRequest.parse(body)
    return { prompt, aspectRatio: aspect_ratio }
  },
  begun: (id) => {
    const job = `https://queue.fal.run/fal-ai/clips/requests/${id}`
    const urls = { response_url: job, status_url: `${job}/status`, cancel_url: `${job}/cancel` }
    return { body: { status: 'IN_QUEUE', request_id: id, ...urls, logs: null, metrics: {}, queue_position: 0 } }
  },
  waiting: () => ({ status: 400, body: { detail: 'Request is still in progress' } }),
  done: (id) => ({
    body: {
      video: { url: `${CLIP_HOST}/${id}.mp4`, content_type: 'video/mp4', file_name: `${id}.mp4`, file_size: 4_404_019 },
    },
  }),
  clipUrl: (id) => `${CLIP_HOST}/${id}.mp4`,
  failed: (_id, words) => ({
    status: 422,
    headers: { 'x-fal-retryable': 'false' },
    body: { detail: [{ loc: ['body', 'prompt'], msg: words, type: 'content_policy_violation', input: {} }] },
  }),
  refusal: (status, words) => ({ status, body: { detail: words } }),
}

const replicateRequest = z.strictObject({ input: z.strictObject({ prompt: z.string(), aspect_ratio: ratio }) })

const prediction = (id: string, more: object) => {
  const job = `https://api.replicate.com/v1/predictions/${id}`
  return {
    ...{ id, model: 'makers/clips', version: 'hidden', input: { prompt: 'p'.repeat(9_000), aspect_ratio: '9:16' } },
    ...{ logs: '', output: null, data_removed: false, error: null, status: 'starting' },
    ...{ created_at: '2026-11-22T09:00:00.000Z' },
    urls: {
      cancel: `${job}/cancel`,
      get: job,
      stream: `https://stream.test/${id}`,
      web: `https://replicate.com/p/${id}`,
    },
    ...more,
  }
}

/** replicate.com/docs/reference/http. */
export const replicate: VideoProtocol = {
  ...{ provider: 'replicate', model: 'makers/clips', base: '/v1', submitPath: '/models/makers/clips/predictions' },
  pollPath: (id) => `/predictions/${id}`,
  keyIn: bearer,
  read: (body, headers) => {
    z.literal('wait=1').parse(headers['prefer'])
    const { prompt, aspect_ratio } = replicateRequest.parse(body).input
    return { prompt, aspectRatio: aspect_ratio }
  },
  begun: (id) => ({ status: 201, body: prediction(id, {}) }),
  waiting: (id) => ({ body: prediction(id, { status: 'processing', started_at: '2026-11-22T09:00:01.000Z' }) }),
  done: (id) => ({
    body: prediction(id, { status: 'succeeded', output: `${CLIP_HOST}/${id}.mp4`, metrics: { predict_time: 41.5 } }),
  }),
  clipUrl: (id) => `${CLIP_HOST}/${id}.mp4`,
  failed: (id, words) => ({ body: prediction(id, { status: 'failed', error: words }) }),
  refusal: (status, words) => ({ status, body: { title: 'Refused', detail: words, status } }),
}

const googleRequest = z.strictObject({
  instances: z.tuple([z.strictObject({ prompt: z.string() })]),
  parameters: z.strictObject({ sampleCount: z.literal(1), aspectRatio: ratio }),
})

const operation = (id: string) => `models/veo-9/operations/${id}`
const GOOGLE = 'https://generativelanguage.googleapis.com/v1beta'

/** ai.google.dev/gemini-api/docs/video. */
export const google: VideoProtocol = {
  ...{ provider: 'google', model: 'veo-9', base: '/v1beta', submitPath: '/models/veo-9:predictLongRunning' },
  pollPath: (id) => `/${operation(id)}`,
  keyIn: (headers) => headers['x-goog-api-key']?.toString(),
  read: (body) => {
    const { instances, parameters } = googleRequest.parse(body)
    return { prompt: instances[0].prompt, aspectRatio: parameters.aspectRatio }
  },
  begun: (id) => ({ body: { name: operation(id) } }),
  waiting: (id) => ({ body: { name: operation(id), metadata: {} } }),
  done: (id) => ({
    body: {
      ...{ name: operation(id), done: true },
      response: {
        '@type': 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse',
        generateVideoResponse: { generatedSamples: [{ video: { uri: `${GOOGLE}/files/${id}:download?alt=media` } }] },
      },
    },
  }),
  clipUrl: (id, base) => `${base}/files/${id}:download?alt=media&key=${KEY}`,
  failed: (id, words) => ({ body: { name: operation(id), done: true, error: { code: 3, message: words } } }),
  refusal: (status, words) => ({ status, body: { error: { code: status, message: words, status: 'REFUSED' } } }),
}

export const VIDEO_PROTOCOLS = [fal, replicate, google]

export interface VideoServerUnderTest extends Listening {
  /** As a setting. */
  readonly baseUrl: string
  /** Each submission that was right, answered or not: each is a job that is paid for. */
  readonly orders: readonly Order[]
  /** How often jobs were asked for. */
  polls(): number
}

export interface Behaviour {
  /** @param number of the submission, from 1; its job is `job-<number>` */
  submit?(number: number): Reply | undefined
  /** @param number of the poll, from 1 */
  poll?(number: number, id: string): Reply | undefined
}

/** A provider on loopback. What it does not take it refuses, as the provider does: 404, 401 and 422. */
export async function givenProvider(
  t: Test,
  protocol: VideoProtocol,
  { submit, poll }: Behaviour = {},
): Promise<VideoServerUnderTest> {
  const orders: Order[] = []
  let polls = 0
  const server = await httpServer(t, async (request, response) => {
    const bytes = await bodyOf(request)
    const answer = (reply: Reply) => send(response, reply)
    if (protocol.keyIn(request.headers) !== KEY) return answer(protocol.refusal(401, 'unauthenticated'))
    if (isTo(request, 'POST', protocol.base + protocol.submitPath)) {
      const number = orders.length + 1
      try {
        orders.push(protocol.read(JSON.parse(bytes), request.headers))
      } catch (error) {
        return answer(protocol.refusal(422, String(error)))
      }
      return answer(submit?.(number) ?? protocol.begun(`job-${number}`))
    }
    const id = orders
      .map((_order, index) => `job-${index + 1}`)
      .find((job) => {
        return isTo(request, 'GET', protocol.base + protocol.pollPath(job))
      })
    if (id === undefined) return answer(protocol.refusal(404, 'not found'))
    polls += 1
    answer(poll?.(polls, id) ?? protocol.waiting(id))
  })
  return { ...server, baseUrl: server.url + protocol.base, orders, polls: () => polls }
}

function isTo({ method, url }: IncomingMessage, wanted: string, path: string): boolean {
  return method === wanted && url === path
}

/** How a provider speaks. */
export interface SpeechProtocol {
  readonly provider: SpeechServer['provider']
  readonly model: string
  readonly base: string
  keyIn(headers: IncomingHttpHeaders): string | undefined
  /** What is to be spoken, if the request is right. @throws z.ZodError */
  read(url: URL, body: unknown): Spoken
  refusal(status: number, words: string): Reply
}

export interface Spoken {
  readonly text: string
  readonly voice: string
}

const audioSpeech = z.strictObject({
  model: z.literal('voice-1'),
  input: z.string().max(4096),
  voice: z.string(),
  response_format: z.literal('mp3'),
})

/** `POST /audio/speech` of OpenAI. */
export const openaiSpeech: SpeechProtocol = {
  ...{ provider: 'openai', model: 'voice-1', base: '/v1' },
  keyIn: bearer,
  read: (url, body) => {
    z.literal('/v1/audio/speech').parse(url.pathname + url.search)
    const { input, voice } = audioSpeech.parse(body)
    return { text: input, voice }
  },
  refusal: (status, words) => ({
    status,
    body: { error: { message: words, type: 'refused', param: null, code: null } },
  }),
}

/** Kokoro, LocalAI and others that have OpenAI's API. */
export const compatibleSpeech: SpeechProtocol = { ...openaiSpeech, provider: 'openai-compatible' }

/** elevenlabs.io/docs/api-reference/text-to-speech. */
export const elevenlabs: SpeechProtocol = {
  ...{ provider: 'elevenlabs', model: 'voice-1', base: '' },
  keyIn: (headers) => headers['xi-api-key']?.toString(),
  read: (url, body) => {
    const [, voice] = /^\/v1\/text-to-speech\/([^/]+)$/.exec(url.pathname) ?? []
    z.literal('?output_format=mp3_44100_128').parse(url.search)
    const { text } = z.strictObject({ model_id: z.literal('voice-1'), text: z.string() }).parse(body)
    return { text, voice: z.string().parse(voice) }
  },
  refusal: (status, words) => ({ status, body: { detail: { status: 'refused', message: words } } }),
}

export const SPEECH_PROTOCOLS = [openaiSpeech, compatibleSpeech, elevenlabs]

/** Beginnings of sound files, as long as their formats ask for. */
export const SOUNDS = {
  'audio/mpeg': Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(413)]),
  'audio/wav': Buffer.concat([Buffer.from('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0', 'latin1'), Buffer.alloc(24)]),
  'audio/mp4': Buffer.concat([Buffer.from('\0\0\0\x18ftypM4A \0\0\0\0M4A isom', 'latin1'), Buffer.alloc(24)]),
} as const

/** A provider of speech on loopback, as strict as those of clips. */
export async function givenSpeaker(t: Test, protocol: SpeechProtocol, reply: (number: number) => Reply) {
  const spoken: Spoken[] = []
  const server = await httpServer(t, async (request, response) => {
    const bytes = await bodyOf(request)
    if (protocol.keyIn(request.headers) !== KEY) return send(response, protocol.refusal(401, 'unauthenticated'))
    if (request.method !== 'POST') return send(response, protocol.refusal(405, 'method not allowed'))
    try {
      spoken.push(protocol.read(new URL(request.url ?? '', 'http://speaker.test'), JSON.parse(bytes)))
    } catch (error) {
      return send(response, protocol.refusal(400, String(error)))
    }
    send(response, reply(spoken.length))
  })
  return { ...server, baseUrl: server.url + protocol.base, spoken }
}

function send(response: ServerResponse, reply: Reply): void {
  if (typeof reply === 'function') return reply(response)
  const { status = 200, headers = {}, body } = reply
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
}
