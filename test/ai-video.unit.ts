import type { ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { GenerationError } from '../infra/ai/generation-error.ts'
import { loadVideoProvider } from '../infra/ai/sdk-generators.ts'
import { sdkVideo } from '../infra/ai/sdk-video.ts'
import { MAX_HANDLE_CHARS, type ClipRequest, type VideoModel } from '../infra/ai/video.ts'
import type { Http } from '../infra/http/http.ts'
import { retryAfterMs } from '../platforms/kit/retry-after.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import {
  fal,
  givenProvider,
  google,
  KEY,
  replicate,
  VIDEO_PROTOCOLS,
  type Behaviour,
  type Reply,
  type VideoProtocol,
} from './support/generation-servers.ts'
import { client, closedPort, httpServer, until } from './support/outbound-servers.ts'
import { virtualClock } from './support/virtual-clock.ts'

const { signal } = new AbortController()
const request: ClipRequest = { key: 'clip_1', prompt: 'A baker at work, 朝', aspectRatio: '9:16' }

/** The model as a process has it that has just started. */
function modelAt({ provider, model }: VideoProtocol, baseUrl: string, http: Http): VideoModel {
  return sdkVideo({ provider, model, apiKey: KEY, baseUrl }, loadVideoProvider(provider), {
    ...{ http, clock: systemClock, retryAfterMs },
  })
}

async function given(t: Test, protocol: VideoProtocol, behaviour: Behaviour = {}) {
  const server = await givenProvider(t, protocol, behaviour)
  const http = client(t)
  return {
    server,
    model: modelAt(protocol, server.baseUrl, http),
    restarted: () => modelAt(protocol, server.baseUrl, http),
  }
}

/** Why nothing was made; in no case does it hold the key. */
async function failure(t: Test, work: Promise<unknown>): Promise<GenerationError> {
  try {
    await work
  } catch (error) {
    t.notMatch(inspect(error, { depth: 20, showHidden: true }), KEY)
    if (error instanceof GenerationError) return error
    throw error
  }
  throw new Error('expected a failure')
}

const breakOff = (response: ServerResponse) => void response.socket?.destroy()
const halfAnswer = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
  response.write('{"name":"models/', () => response.socket?.destroySoon())
}
const huge: Reply = { body: `"${'a'.repeat(1024 * 1024)}"` }
const UNREADABLE = [
  '',
  'null',
  '[]',
  '{}',
  '"job-1"',
  '<html>Bad gateway</html>',
  '{"na',
  '{"name":7,"id":{},"urls":[]}',
]

for (const protocol of VIDEO_PROTOCOLS) {
  const { provider } = protocol

  t.test(
    `given ${provider}, when a clip is made, then it is ordered once, and looked for with the handle alone`,
    async (t) => {
      const { server, model, restarted } = await given(t, protocol, {
        poll: (number, id) => (number < 3 ? protocol.waiting(id) : protocol.done(id)),
      })
      const handle = await model.begin(request, signal)
      t.equal(server.polls(), 0, 'it is not waited for')
      t.ok(handle.length < MAX_HANDLE_CHARS)
      t.notMatch(handle, KEY)
      t.notMatch(handle, 'ppp', 'what is of no use later is not kept')

      for (const looks of [1, 2]) {
        t.match(await restarted().look(handle, request, signal), { state: 'rendering', lookAgainMs: Number })
        t.equal(server.polls(), looks, 'one look is one request')
      }
      for (const looker of [model, restarted()]) {
        t.same(await looker.look(handle, request, signal), {
          ...{ state: 'done', provider, model: protocol.model },
          clip: { url: protocol.clipUrl('job-1', server.baseUrl) },
        })
      }
      t.same(server.orders, [{ prompt: request.prompt, aspectRatio: '9:16' }])
    },
  )

  t.test(`given ${provider}, when it refuses, then the error says whether a job may have begun`, async (t) => {
    const after = { 'retry-after': '7' }
    const words = `no: you sent ${KEY}\nso there`
    const plain = (status: number) => protocol.refusal(status, words)
    const answers: readonly (readonly [Reply, GenerationError['kind'], RegExp])[] = [
      ...[400, 402, 404, 405, 413, 422].map(
        (status) => [plain(status), 'permanent', RegExp(`rejected .*${status}\\): no: you sent … so there$`)] as const,
      ),
      ...[401, 403].map(
        (status) => [plain(status), 'permanent', /rejected the key in VIDEO_API_KEY .*so there$/] as const,
      ),
      ...[429, 503].map(
        (status) => [plain(status), 'retryable', /not accepting requests at the moment .*so there$/] as const,
      ),
      [
        { status: 503, headers: after, body: '' },
        'retryable',
        /not accepting requests at the moment \(status 503\)\.$/,
      ],
      ...[408, 500, 502, 504, 529].map(
        (status) => [plain(status), 'ambiguous', /may have accepted the request .*so there$/] as const,
      ),
      [{ status: 503, body: '<html>no backend</html>' }, 'ambiguous', /may have accepted the request .*503\)\.$/],
      [{ status: 302, headers: { location: '/' }, body: '' }, 'permanent', /rejected .*302/],
    ]
    const { server, model } = await given(t, protocol, { submit: (number) => answers[number - 1]?.[0] })
    for (const [, kind, message] of answers) t.match(await failure(t, model.begin(request, signal)), { kind, message })
    t.equal(server.orders.length, answers.length, 'each was sent once')
    t.equal(server.polls(), 0)
  })

  t.test(`given ${provider}, when the answer to an order is lost, then a job may have begun`, async (t) => {
    const lost: readonly (readonly [Reply, RegExp])[] = [
      [breakOff, /did not respond: .*was lost/],
      [halfAnswer, /did not respond/],
      [huge, /1048576/],
      ...UNREADABLE.map((body) => [{ body }, /accepted the request/] as const),
      [{ status: 204, body: '' }, /accepted the request/],
    ]
    for (const [reply, message] of lost) {
      const { baseUrl, ...server } = await givenProvider(t, protocol, { submit: () => reply })
      const error = await failure(t, modelAt(protocol, baseUrl, client(t)).begin(request, signal))
      t.match(error, { kind: 'ambiguous', message }, message.source)
      t.same([server.orders.length, server.polls()], [1, 0])
    }
  })

  t.test(`given ${provider}, when a look goes wrong, then it may be repeated`, async (t) => {
    const passing: readonly (readonly [Reply, RegExp])[] = [
      [breakOff, /did not respond: .*was lost/],
      [halfAnswer, /did not respond/],
      [huge, /1048576/],
      ...UNREADABLE.filter((body) => !body.endsWith('}')).map((body) => [{ body }, /could not be read/] as const),
      ...[302, 408, 409, 429, 500, 502, 503, 504].map(
        (status) => [{ status, body: '<html>' }, RegExp(`did not return the status .*${status}`)] as const,
      ),
      ...[401, 403].map(
        (status) => [protocol.refusal(status, KEY), /rejected the key in VIDEO_API_KEY .*: …$/] as const,
      ),
    ]
    for (const [reply, message] of passing) {
      const server = await givenProvider(t, protocol, {
        poll: (number, id) => (number === 1 ? reply : protocol.done(id)),
      })
      const model = modelAt(protocol, server.baseUrl, client(t))
      const handle = await model.begin(request, signal)
      t.match(await failure(t, model.look(handle, request, signal)), { kind: 'retryable', message }, message.source)
      t.match(await model.look(handle, request, signal), { state: 'done' })
      t.equal(server.orders.length, 1)
    }
  })

  t.test(`given ${provider}, when it does not respond, then the wait is bounded`, async (t) => {
    const clock = virtualClock()
    const silentFor = (ms: number) => () => void clock.advanceTo(clock.now() + ms)
    const server = await givenProvider(t, protocol, {
      submit: (number) => (number === 1 ? silentFor(60_000) : undefined),
      poll: () => silentFor(15_000),
    })
    const model = modelAt(protocol, server.baseUrl, client(t, { clock }))
    const within = (ms: number) => RegExp(`no complete response within ${ms} ms`)
    t.match(await failure(t, model.begin(request, signal)), { kind: 'ambiguous', message: within(60_000) })
    const handle = await model.begin(request, signal)
    t.match(await failure(t, model.look(handle, request, signal)), { kind: 'retryable', message: within(15_000) })
    t.same([server.orders.length, server.polls()], [2, 1])
  })

  t.test(`given ${provider}, when its pause is asked for, then a look and a refusal say how long`, async (t) => {
    const paused = (reply: Reply): Reply =>
      typeof reply === 'function' ? reply : { ...reply, headers: { ...reply.headers, 'retry-after': '33' } }
    const { model } = await given(t, protocol, {
      submit: (number) => (number === 1 ? paused(protocol.refusal(429, 'slow down')) : undefined),
      poll: (number, id) => paused(number === 1 ? protocol.waiting(id) : protocol.refusal(503, 'slow down')),
    })
    t.equal((await failure(t, model.begin(request, signal))).retryAfterMs, 33_000)
    const handle = await model.begin(request, signal)
    t.match(await model.look(handle, request, signal), { state: 'rendering', lookAgainMs: 33_000 })
    t.equal((await failure(t, model.look(handle, request, signal))).retryAfterMs, 33_000)
  })

  t.test(`given ${provider}, when a job has failed or is forgotten, then it is given up`, async (t) => {
    const ends: readonly (readonly [Reply, RegExp])[] = [
      [protocol.failed('job-1', `Not of ${KEY}\nat all`), /^The job failed at .*: Not of … at all$/],
      ...[404, 410].map((status) => [protocol.refusal(status, 'gone'), /no longer has the job .*: gone$/] as const),
    ]
    const { server, model } = await given(t, protocol, { poll: (number) => ends[number - 1]?.[0] })
    const handle = await model.begin(request, signal)
    for (const [, message] of ends) {
      t.match(await failure(t, model.look(handle, request, signal)), { kind: 'permanent', message })
    }
    t.equal(server.orders.length, 1)
  })

  t.test(`given ${provider}, when there is no server, then nothing has begun`, async (t) => {
    const refused = modelAt(protocol, `http://127.0.0.1:${await closedPort()}${protocol.base}`, client(t))
    t.match(await failure(t, refused.begin(request, signal)), { kind: 'retryable', message: /could not connect/ })
    const nameless = modelAt(protocol, `http://nowhere.test${protocol.base}`, client(t, { lookup: async () => [] }))
    t.match(await failure(t, nameless.begin(request, signal)), { kind: 'retryable', message: /has no address/ })
    const forbidden = modelAt(protocol, `http://10.0.0.1${protocol.base}`, client(t))
    t.match(await failure(t, forbidden.begin(request, signal)), { kind: 'permanent', message: /not a public address/ })
  })

  t.test(
    `given ${provider}, when the caller gives up, then at once, and it is no failure of the provider`,
    async (t) => {
      let gone = 0
      const untilGone = (response: ServerResponse) => void response.once('close', () => (gone += 1))
      const { server, model, restarted } = await given(t, protocol, {
        submit: (number) => (number === 1 ? untilGone : undefined),
        poll: () => untilGone,
      })
      const stopped = async (work: (by: AbortSignal) => Promise<unknown>, isUnderWay: () => boolean) => {
        const caller = new AbortController()
        const working = work(caller.signal)
        await until(isUnderWay)
        caller.abort(new Error('stopping'))
        await t.rejects(working, { message: 'stopping' })
        await until(() => gone === 1)
        gone = 0
      }
      await stopped(
        (by) => model.begin(request, by),
        () => server.orders.length === 1,
      )
      const handle = await model.begin(request, signal)
      await stopped(
        (by) => restarted().look(handle, request, by),
        () => server.polls() === 1,
      )
      await t.rejects(model.begin(request, AbortSignal.abort(new Error('stopped'))), { message: 'stopped' })
      t.equal(server.orders.length, 2, 'none but those that were begun')
    },
  )

  t.test(
    `given ${provider}, whatever happens to its answers, then each order is sent once, and no look is one`,
    async (t) => {
      const moods = ['answers', 'breaks off', 'is given up', 'fails', 'babbles', 'is done'] as const
      let mood: (typeof moods)[number] = 'answers'
      let isOrdering = false
      let caller = new AbortController()
      const giveUp = () => caller.abort(new Error('stopping'))
      const asMood = (answers: Reply): Reply => {
        if (mood === 'breaks off') return breakOff
        if (mood === 'is given up') return giveUp
        if (mood === 'fails') return protocol.refusal(502, 'bad gateway')
        return mood === 'babbles' ? { body: '<html>' } : answers
      }
      const server = await givenProvider(t, protocol, {
        submit: (number) => asMood(protocol.begun(`job-${number}`)),
        poll: (_number, id) => {
          const answers = mood === 'is done' ? protocol.done(id) : protocol.waiting(id)
          // A look that was given up may arrive in the next step: it must not end an order there.
          return isOrdering ? answers : asMood(answers)
        },
      })
      const http = client(t)
      const step = fc.record({ does: fc.constantFrom('begin', 'look'), mood: fc.constantFrom(...moods) })
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
          const before = server.orders.length
          const handles: string[] = []
          for (const { does, mood: next } of [{ does: 'begin', mood: 'answers' } as const, ...steps]) {
            mood = next
            isOrdering = does === 'begin'
            caller = new AbortController()
            const model = modelAt(protocol, server.baseUrl, http)
            const { signal: by } = caller
            const work =
              does === 'look'
                ? handles.map((handle) => model.look(handle, request, by))
                : [model.begin(request, by).then((handle) => handles.push(handle))]
            for (const end of await Promise.allSettled(work)) {
              const isKnown = end.status === 'fulfilled' || end.reason instanceof GenerationError || by.aborted
              if (!isKnown) throw end.reason
            }
          }
          const begun = 1 + steps.filter(({ does }) => does === 'begin').length
          return server.orders.length - before === begun && new Set(handles).size === handles.length
        }),
        { numRuns: 20 },
      )
    },
  )

  t.test(`given ${provider}, when a handle belongs to another, then no request is sent`, async (t) => {
    const { server, model } = await given(t, protocol)
    const handle = await model.begin(request, signal)
    const connections = server.connections()
    const cases: readonly (readonly [string, GenerationError['kind'], RegExp])[] = [
      ['', 'permanent', /could not be read/],
      ['{"provider":"fal"}', 'permanent', /could not be read/],
      [handle.replace(`"${provider}"`, '"other"'), 'permanent', /started at other, but VIDEO_PROVIDER is/],
      [handle.replace('"url":"https:', '"url":"http:'), 'retryable', /in a way that this version/],
    ]
    for (const [text, kind, message] of cases) {
      t.match(await failure(t, model.look(text, request, signal)), { kind, message }, text)
    }
    t.same([server.orders.length, server.polls(), server.connections()], [1, 0, connections])
  })

  t.test(`given ${provider}, when it repeats the key in the name of a job, then the name is not kept`, async (t) => {
    const named = (name: string): Reply => ({
      body: { name, id: name, request_id: name, response_url: `https://queue.fal.run/${name}`, urls: { get: name } },
    })
    const { model } = await given(t, protocol, { submit: (number) => named(number === 1 ? KEY : 'n'.repeat(8_000)) })
    for (const _ of [1, 2]) {
      t.match(await failure(t, model.begin(request, signal)), { kind: 'ambiguous', message: /cannot be stored/ })
    }
  })
}

t.test('given a response with another address for its job, then no request is sent there', async (t) => {
  const elsewhere = await httpServer(t, (_request, response) => response.end())
  const names = [
    `${elsewhere.url}/fal-ai/clips/requests/1`,
    'https://queue.fal.run.test/1',
    `https://queue.fal.run@127.0.0.1:${elsewhere.port}/1`,
    'ftp://queue.fal.run/1',
    '/requests/1',
  ]
  const { server, model } = await given(t, fal, {
    submit: (number) => ({ body: { request_id: '1', response_url: names[number - 1] } }),
  })
  for (const name of names) {
    const handle = await model.begin(request, signal)
    const error = await failure(t, model.look(handle, request, signal))
    t.match(error, { kind: 'permanent', message: /address .* not its own/ }, name)
  }
  t.same([elsewhere.connections(), server.polls()], [0, 0])
})

t.test('given an answer that sends elsewhere, then the key does not go there', async (t) => {
  const elsewhere = await httpServer(t, (_request, response) => response.end())
  const away: Reply = { status: 307, headers: { location: elsewhere.url }, body: '' }
  for (const protocol of VIDEO_PROTOCOLS) {
    const { model } = await given(t, protocol, {
      submit: (number) => (number === 1 ? away : undefined),
      poll: () => away,
    })
    t.match(await failure(t, model.begin(request, signal)), { kind: 'permanent' })
    const handle = await model.begin(request, signal)
    t.match(await failure(t, model.look(handle, request, signal)), { kind: 'retryable' })
  }
  t.equal(elsewhere.connections(), 0)
})

t.test("given a job that fails in a provider's own way, then it is given up with its reason", async (t) => {
  const prediction = (more: object): Reply => ({
    body: { id: 'job-1', urls: { get: 'https://api.replicate.com/v1/predictions/job-1' }, ...more },
  })
  const operation = (more: object): Reply => ({
    body: { name: 'models/veo-9/operations/job-1', done: true, ...more },
  })
  const filtered = { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['It shows a child.'] }
  const queueError = (status: number, type: string): Reply => ({
    ...{ status, headers: { 'x-fal-error-type': type } },
    body: { detail: 'Request timed out', error_type: type },
  })
  const cases: readonly (readonly [VideoProtocol, Reply, RegExp])[] = [
    [fal, queueError(504, 'request_timeout'), /failed at fal: Request timed out$/],
    [fal, { status: 503, headers: { 'x-fal-error-type': 'runner_disconnected' }, body: '' }, /: runner_disconnected$/],
    [fal, { body: {} }, /ended at fal without a clip/],
    [fal, { body: { video: { url: 'ftp://clips.test/1' } } }, /returned no URL/],
    [replicate, prediction({ status: 'canceled' }), /failed at replicate: canceled$/],
    [replicate, prediction({ status: 'aborted', error: null }), /failed at replicate: aborted$/],
    [replicate, prediction({ status: 'failed', error: { code: 7 } }), /failed at replicate: failed$/],
    [replicate, prediction({ status: 'succeeded', output: null }), /ended at replicate without a clip/],
    [replicate, prediction({ status: 'succeeded', output: 'data:video/mp4;base64,AAAA' }), /returned no URL/],
    [google, operation({ response: { generateVideoResponse: filtered } }), /failed at google: It shows a child\.$/],
    [
      google,
      operation({ response: { generateVideoResponse: { generatedSamples: [] } } }),
      /ended at google without a clip/,
    ],
    [google, operation({}), /ended at google without a clip/],
  ]
  for (const [protocol, reply, message] of cases) {
    const { server, model } = await given(t, protocol, { poll: () => reply })
    const handle = await model.begin(request, signal)
    t.match(await failure(t, model.look(handle, request, signal)), { kind: 'permanent', message })
    t.equal(server.orders.length, 1)
  }
})

t.test("given fal, when it returns a job's status instead of its result, then the job is not given up", async (t) => {
  const { model } = await given(t, fal, { poll: () => ({ status: 202, body: { status: 'IN_PROGRESS', logs: [] } }) })
  const handle = await model.begin(request, signal)
  const error = await failure(t, model.look(handle, request, signal))
  t.match(error, { kind: 'retryable', message: /could not be read/ })
})

t.test('given Google, when a key is none, then 400 is understood as that', async (t) => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }]
  const error = { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT', details }
  const { model } = await given(t, google, {
    submit: (number) => (number === 1 ? { status: 400, body: { error } } : undefined),
    poll: () => ({ status: 400, body: { error } }),
  })
  const message = /rejected the key in VIDEO_API_KEY/
  t.match(await failure(t, model.begin(request, signal)), { kind: 'permanent', message })
  t.match(await failure(t, model.look(await model.begin(request, signal), request, signal)), {
    kind: 'retryable',
    message,
  })
})

t.test('given another model in the settings, then a job that was begun before is still found', async (t) => {
  for (const protocol of VIDEO_PROTOCOLS) {
    const server = await givenProvider(t, protocol, { poll: (_number, id) => protocol.done(id) })
    const http = client(t)
    const handle = await modelAt(protocol, server.baseUrl, http).begin(request, signal)
    const later = modelAt({ ...protocol, model: 'fal-ai/other' }, server.baseUrl, http)
    t.match(await later.look(handle, request, signal), { state: 'done', model: protocol.model })
  }
})
