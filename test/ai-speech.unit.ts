import type { ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import t, { type Test } from 'tap'
import { GenerationError } from '../infra/ai/generation-error.ts'
import { loadSpeechProvider } from '../infra/ai/sdk-generators.ts'
import { sdkSpeech } from '../infra/ai/sdk-speech.ts'
import type { SpeechModel, SpeechRequest } from '../infra/ai/speech.ts'
import { retryAfterMs } from '../platforms/kit/retry-after.ts'
import type { SpeechServer } from '../infra/runtime/generation-settings.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import {
  compatibleSpeech,
  elevenlabs,
  givenSpeaker,
  KEY,
  openaiSpeech,
  SOUNDS,
  SPEECH_PROTOCOLS,
  type Reply,
  type SpeechProtocol,
} from './support/generation-servers.ts'
import { client, closedPort, httpServer, until } from './support/outbound-servers.ts'

const { signal } = new AbortController()
const request: SpeechRequest = { key: 'voiceover_1', text: 'Guten Morgen, 朝!', voiceId: 'af_sky+bella' }
const MP3: Reply = { headers: { 'content-type': 'audio/mpeg' }, body: SOUNDS['audio/mpeg'] }

function modelAt(t: Test, protocol: SpeechProtocol, more: Partial<SpeechServer> & { readonly baseUrl: string }) {
  const { provider, model } = protocol
  return sdkSpeech({ provider, model, apiKey: KEY, ...more }, loadSpeechProvider(provider), {
    ...{ http: client(t), clock: systemClock, retryAfterMs },
  })
}

async function given(t: Test, protocol: SpeechProtocol, reply: (number: number) => Reply) {
  const server = await givenSpeaker(t, protocol, reply)
  return { server, model: modelAt(t, protocol, { baseUrl: server.baseUrl }) }
}

/** Why nothing was spoken; in no case does it hold the key. */
async function failure(t: Test, work: ReturnType<SpeechModel['speak']>): Promise<GenerationError> {
  try {
    await work
  } catch (error) {
    t.notMatch(inspect(error, { depth: 20, showHidden: true }), KEY)
    if (error instanceof GenerationError) return error
    throw error
  }
  throw new Error('expected a failure')
}

for (const protocol of SPEECH_PROTOCOLS) {
  const { provider } = protocol

  t.test(`given ${provider}, when it speaks, then the sound comes with what it really is`, async (t) => {
    const types = ['audio/mpeg', 'audio/wav', 'audio/mp4'] as const
    const { server, model } = await given(t, protocol, (number) => ({
      headers: { 'content-type': 'application/octet-stream' },
      body: SOUNDS[types[number - 1] ?? 'audio/mpeg'],
    }))
    for (const mimeType of types) {
      const { bytes, ...speech } = await model.speak(request, signal)
      t.same(speech, { mimeType, provider, model: protocol.model })
      t.ok(SOUNDS[mimeType].equals(bytes))
    }
    t.same(server.spoken[0], { text: request.text, voice: request.voiceId })
    t.equal(model.proof, 'opaque')
  })

  t.test(`given ${provider}, when it refuses, then the error says whether it may have spoken`, async (t) => {
    const words = `no: you sent ${KEY}\nso there`
    const plain = (status: number) => protocol.refusal(status, words)
    const answers: readonly (readonly [Reply, GenerationError['kind'], RegExp])[] = [
      ...[400, 402, 404, 422].map(
        (status) => [plain(status), 'permanent', /rejected .*: no: you sent … so there$/] as const,
      ),
      ...[401, 403].map(
        (status) => [plain(status), 'permanent', /rejected the key in SPEECH_API_KEY .*so there$/] as const,
      ),
      ...[429, 503].map(
        (status) => [plain(status), 'retryable', /not accepting requests at the moment .*so there$/] as const,
      ),
      ...[500, 502, 504].map(
        (status) => [plain(status), 'ambiguous', /may have accepted the request .*so there$/] as const,
      ),
    ]
    const { server, model } = await given(t, protocol, (number) => answers[number - 1]?.[0] ?? MP3)
    for (const [, kind, message] of answers) t.match(await failure(t, model.speak(request, signal)), { kind, message })
    t.equal(server.spoken.length, answers.length, 'the SDK asks once')
  })

  t.test(`given ${provider}, when what comes is no sound, then it may have been paid for`, async (t) => {
    const bodies = ['', '{}', '<html>', '\u0089PNG\r\n', Buffer.from('OggS\0\x02', 'latin1')]
    const { server, model } = await given(t, protocol, (number) => ({ body: bodies[number - 1] ?? '' }))
    for (const body of bodies) {
      const error = await failure(t, model.speak(request, signal))
      t.match(error, { kind: 'ambiguous', message: /did not return usable audio/ }, String(body))
    }
    t.equal(server.spoken.length, bodies.length)
  })
}

t.test('given an answer that does not come, then it may have been paid for', async (t) => {
  const half = (response: ServerResponse) => {
    response.writeHead(200, { 'content-length': '500' })
    response.write(SOUNDS['audio/mpeg'], () => response.socket?.destroySoon())
  }
  const huge: Reply = { body: Buffer.alloc(50 * 1024 * 1024 + 1) }
  for (const reply of [(response: ServerResponse) => void response.socket?.destroy(), half, huge]) {
    const { server, model } = await given(t, openaiSpeech, () => reply)
    t.match(await failure(t, model.speak(request, signal)), { kind: 'ambiguous', message: /^openai did not respond/ })
    t.equal(server.spoken.length, 1)
  }
  const nowhere = modelAt(t, openaiSpeech, { baseUrl: `http://127.0.0.1:${await closedPort()}/v1` })
  t.match(await failure(t, nowhere.speak(request, signal)), { kind: 'retryable' })
})

t.test('given a long speech, then it is taken as a whole', async (t) => {
  const long = Buffer.concat([SOUNDS['audio/wav'], Buffer.alloc(8 * 1024 * 1024, 7)])
  const { model } = await given(t, openaiSpeech, () => ({ body: long }))
  t.ok(long.equals((await model.speak(request, signal)).bytes))
})

t.test('given a pause that is asked for, then the failure says how long', async (t) => {
  const { model } = await given(t, elevenlabs, () => ({ status: 429, headers: { 'retry-after': '9' }, body: '' }))
  t.match(await failure(t, model.speak(request, signal)), { kind: 'retryable', retryAfterMs: 9_000 })
})

t.test('given a caller that gives up, then at once, and it is no failure of the provider', async (t) => {
  let gone = false
  const { server, model } = await given(t, elevenlabs, () => (response) => {
    response.once('close', () => (gone = true))
  })
  const caller = new AbortController()
  const speaking = model.speak(request, caller.signal)
  await until(() => server.spoken.length === 1)
  caller.abort(new Error('stopping'))
  await t.rejects(speaking, { message: 'stopping' })
  await until(() => gone)
  await t.rejects(model.speak(request, AbortSignal.abort(new Error('stopped'))), { message: 'stopped' })
  t.equal(server.spoken.length, 1)
})

t.test('given an answer that sends elsewhere, then the key does not go there', async (t) => {
  const elsewhere = await httpServer(t, (_request, response) => response.end())
  for (const protocol of SPEECH_PROTOCOLS) {
    const { model } = await given(t, protocol, () => ({ status: 307, headers: { location: elsewhere.url }, body: '' }))
    t.match(await failure(t, model.speak(request, signal)), { kind: 'permanent', message: /status 307/ })
  }
  t.equal(elsewhere.connections(), 0)
})

t.test('given no voice, then the provider has one of its own', async (t) => {
  for (const [protocol, voice] of [
    [openaiSpeech, 'alloy'],
    [elevenlabs, '21m00Tcm4TlvDq8ikWAM'],
  ] as const) {
    const { server, model } = await given(t, protocol, () => MP3)
    await model.speak({ key: 'voiceover_1', text: 'Hello' }, signal)
    t.same(server.spoken, [{ text: 'Hello', voice }])
  }
})

t.test('given a voice that would lead to another part of the API, then nothing is asked', async (t) => {
  const { server, model } = await given(t, elevenlabs, () => MP3)
  for (const voiceId of ['../../user', '..', '.', 'a/b', 'a?b', 'a#b', 'a\\b', '%2e%2e', '', 'a\nb']) {
    const error = await failure(t, model.speak({ ...request, voiceId }, signal))
    t.match(error, { kind: 'permanent', message: /has no voice with this name/ }, voiceId)
  }
  t.equal(server.connections(), 0)
})

t.test('given a server that asks for no key, then none is sent, whatever the environment holds', async (t) => {
  const { OPENAI_API_KEY } = process.env
  process.env['OPENAI_API_KEY'] = KEY
  t.teardown(() => {
    if (OPENAI_API_KEY === undefined) delete process.env['OPENAI_API_KEY']
    else process.env['OPENAI_API_KEY'] = OPENAI_API_KEY
  })
  const keys: (string | undefined)[] = []
  const keyless: SpeechProtocol = { ...compatibleSpeech, keyIn: ({ authorization }) => (keys.push(authorization), KEY) }
  const { baseUrl } = await givenSpeaker(t, keyless, () => MP3)
  await modelAt(t, keyless, { baseUrl, apiKey: undefined }).speak(request, signal)
  t.same(keys, [undefined])
})
