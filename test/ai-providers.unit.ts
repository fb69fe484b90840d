import t from 'tap'
import { speechModelOf, videoModelOf } from '../app/wiring/video-models.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { readSettings, SettingsError } from '../infra/runtime/settings.ts'
import { NO_TELEMETRY } from '../app/telemetry/telemetry.ts'
import {
  givenProvider,
  givenSpeaker,
  KEY,
  SOUNDS,
  SPEECH_PROTOCOLS,
  VIDEO_PROTOCOLS,
} from './support/generation-servers.ts'
import { client, httpServer } from './support/outbound-servers.ts'

type Environment = Readonly<Record<string, string>>

const { signal } = new AbortController()
const request = { key: 'clip_1', prompt: 'A baker at work', aspectRatio: '1:1' } as const

t.test('given settings that name a provider', async (t) => {
  const core = (environment: Environment) => {
    return { settings: readSettings(environment), http: client(t), clock: systemClock, telemetry: NO_TELEMETRY }
  }

  await t.test('when it makes clips on a private network, then it alone is reached there', async (t) => {
    for (const protocol of VIDEO_PROTOCOLS) {
      const server = await givenProvider(t, protocol, { poll: (_number, id) => protocol.done(id) })
      const environment = {
        ...{ VIDEO_PROVIDER: protocol.provider, VIDEO_MODEL: protocol.model },
        ...{ VIDEO_API_KEY: `${KEY}\n`, VIDEO_BASE_URL: `${server.baseUrl}/` },
      }
      const handle = await videoModelOf(core(environment))?.begin(request, signal)
      const look = await videoModelOf(core(environment))?.look(handle ?? '', request, signal)
      t.match(look, { state: 'done', clip: { url: protocol.clipUrl('job-1', server.baseUrl) } })
      t.same(server.orders, [{ prompt: request.prompt, aspectRatio: '1:1' }])
    }
  })

  await t.test(
    'when it speaks on a private network, then in the voice that is asked for, or in that of the settings',
    async (t) => {
      for (const protocol of SPEECH_PROTOCOLS) {
        const server = await givenSpeaker(t, protocol, () => ({ body: SOUNDS['audio/wav'] }))
        const environment = {
          ...{ SPEECH_PROVIDER: protocol.provider, SPEECH_MODEL: protocol.model, SPEECH_API_KEY: KEY },
          ...{ SPEECH_BASE_URL: server.baseUrl, SPEECH_VOICE: 'narrator' },
        }
        const model = speechModelOf(core(environment))
        await model?.speak({ key: 'voiceover_1', text: 'Hello', voiceId: 'whisper' }, signal)
        await model?.speak({ key: 'voiceover_1', text: 'Hello', voiceId: undefined }, signal)
        t.same(server.spoken, [
          { text: 'Hello', voice: 'whisper' },
          { text: 'Hello', voice: 'narrator' },
        ])
      }
    },
  )

  await t.test('when none is named, then it is the sandbox where that runs, and none elsewhere', async (t) => {
    for (const environment of [{}, { VIDEO_PROVIDER: 'sandbox', SPEECH_PROVIDER: 'sandbox' }]) {
      t.match(readSettings(environment), { video: { provider: 'sandbox' }, speech: { provider: 'sandbox' } })
      t.equal(videoModelOf(core(environment))?.proof, 'idempotent-key')
      t.equal(speechModelOf(core(environment))?.proof, 'idempotent-key')
    }
    t.match(readSettings({ SANDBOX: 'off' }), { video: { provider: 'none' }, speech: { provider: 'none' } })
    t.equal(videoModelOf(core({ SANDBOX: 'off' })), undefined)
    t.equal(speechModelOf(core({ SANDBOX: 'off', SPEECH_VOICE: 'narrator' })), undefined)
  })

  await t.test('when the sandbox speaks, then in the voice of the settings too', async (t) => {
    const asked: string[] = []
    const sandbox = await httpServer(t, async (incoming, response) => {
      for await (const chunk of incoming) asked.push(String(chunk))
      response.writeHead(200, { 'x-model': 'synthesizer' }).end(SOUNDS['audio/wav'])
    })
    const model = speechModelOf(core({ SANDBOX_PORT: String(sandbox.port), SPEECH_VOICE: 'de' }))
    await model?.speak({ key: 'voiceover_1', text: 'Hallo' }, signal)
    t.match(JSON.parse(asked.join('')), { voice: 'de', text: 'Hallo' })
    t.ok(model?.voices?.includes('de'))
  })
})

t.test('given one of the clouds, when it is named, then its address is known', async (t) => {
  const addresses = {
    VIDEO: {
      fal: 'https://queue.fal.run',
      replicate: 'https://api.replicate.com/v1',
      google: 'https://generativelanguage.googleapis.com/v1beta',
    },
    SPEECH: { openai: 'https://api.openai.com/v1', elevenlabs: 'https://api.elevenlabs.io' },
  }
  for (const [kind, clouds] of Object.entries(addresses)) {
    for (const [provider, baseUrl] of Object.entries(clouds)) {
      const given = { [`${kind}_PROVIDER`]: provider, [`${kind}_MODEL`]: 'm-1', [`${kind}_API_KEY`]: KEY }
      const { video, speech } = readSettings(given)
      t.same(kind === 'VIDEO' ? video : speech, { provider, model: 'm-1', apiKey: KEY, baseUrl })
    }
  }
})

t.test('given settings of a video, then its price and its time are those, or the defaults', async (t) => {
  t.match(readSettings({}), { VIDEO_TIMEOUT: 1_800_000, VIDEO_CREDITS_PER_SCENE: 1, VIDEO_CREDITS_VOICEOVER: 1 })
  t.match(readSettings({ VIDEO_TIMEOUT: '45m', VIDEO_CREDITS_PER_SCENE: '3', VIDEO_CREDITS_VOICEOVER: '0' }), {
    ...{ VIDEO_TIMEOUT: 2_700_000, VIDEO_CREDITS_PER_SCENE: 3, VIDEO_CREDITS_VOICEOVER: 0 },
  })
})

t.test('given settings that are wrong, then each is named, and no secret', async (t) => {
  const cloud = { VIDEO_PROVIDER: 'fal', VIDEO_MODEL: 'fal-ai/clips', VIDEO_API_KEY: 'sk-1' }
  const local = {
    SPEECH_PROVIDER: 'openai-compatible',
    SPEECH_MODEL: 'kokoro',
    SPEECH_BASE_URL: 'http://127.0.0.1:8880/v1',
  }
  t.match(readSettings({ ...local, ...cloud, SPEECH_BASE_URL: `${local.SPEECH_BASE_URL}//` }), {
    speech: { provider: 'openai-compatible', baseUrl: local.SPEECH_BASE_URL, apiKey: undefined },
    video: { provider: 'fal' },
  })
  const cases: readonly (readonly [Environment, RegExp])[] = [
    [{ ...cloud, VIDEO_MODEL: '' }, /VIDEO_MODEL: is required with VIDEO_PROVIDER=fal/],
    [{ ...cloud, VIDEO_API_KEY: '' }, /VIDEO_API_KEY: is required/],
    [{ VIDEO_PROVIDER: 'google' }, /VIDEO_MODEL: is required[^]*VIDEO_API_KEY: is required/],
    [
      { ...cloud, VIDEO_PROVIDER: '' },
      /VIDEO_PROVIDER: must be one of fal, replicate, google to use VIDEO_MODEL and VIDEO_API_KEY/,
    ],
    [{ VIDEO_PROVIDER: 'sandbox', VIDEO_BASE_URL: 'http://a.test' }, /VIDEO_PROVIDER: must be one of/],
    [{ VIDEO_PROVIDER: 'sandbox', SANDBOX: 'off' }, /VIDEO_PROVIDER: can be sandbox only if/],
    [{ ...cloud, VIDEO_PROVIDER: 'sora' }, /VIDEO_PROVIDER: /],
    [{ ...cloud, VIDEO_BASE_URL: 'fal.run' }, /VIDEO_BASE_URL: must be a URL/],
    [
      { ...cloud, VIDEO_BASE_URL: 'https://fal.test/?key=secret' },
      /VIDEO_BASE_URL: must not contain .* put a key into VIDEO_API_KEY/,
    ],
    [{ ...cloud, VIDEO_API_KEY: 'sk-1 sk-2' }, /VIDEO_API_KEY: must contain only printable ASCII/],
    [{ ...local, SPEECH_MODEL: '' }, /SPEECH_MODEL: is required/],
    [{ ...local, SPEECH_BASE_URL: '' }, /SPEECH_BASE_URL: is required/],
    [{ ...local, SPEECH_PROVIDER: 'openai', SPEECH_BASE_URL: '' }, /SPEECH_API_KEY: is required/],
    [{ ...local, SPEECH_PROVIDER: '' }, /SPEECH_PROVIDER: must be one of openai, elevenlabs, openai-compatible to use/],
    [{ SPEECH_PROVIDER: 'sandbox', SANDBOX: 'off' }, /SPEECH_PROVIDER: can be sandbox only if/],
    [{ SPEECH_API_KEY: 'schlüssel' }, /SPEECH_API_KEY: must contain only printable ASCII/],
    [{ ...local, SPEECH_BASE_URL: 'http://me:secret@ai.test/v1' }, /SPEECH_BASE_URL: must not contain a user/],
    [
      { VIDEO_PROVIDER: 'fal', SPEECH_PROVIDER: 'openai', AI_PROVIDER: 'openai' },
      /AI_MODEL[^]*VIDEO_MODEL[^]*SPEECH_MODEL/,
    ],
    [{ VIDEO_TIMEOUT: '0s' }, /VIDEO_TIMEOUT: must be more than 0s and at most 24h/],
    [{ VIDEO_TIMEOUT: '25h' }, /VIDEO_TIMEOUT: must be more than 0s and at most 24h/],
    [{ VIDEO_CREDITS_PER_SCENE: '-1' }, /VIDEO_CREDITS_PER_SCENE: /],
    [{ VIDEO_CREDITS_VOICEOVER: '1.5' }, /VIDEO_CREDITS_VOICEOVER: /],
    [{ SPEECH_VOICE: ' ' }, /SPEECH_VOICE: /],
  ]
  for (const [given, message] of cases) {
    t.throws(() => readSettings(given), { constructor: SettingsError, message }, message.source)
    try {
      readSettings(given)
    } catch (error) {
      t.notMatch(String(error), /secret|sk-|schlüssel/, 'no secret is repeated')
    }
  }
})
