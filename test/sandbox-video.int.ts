import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import ffprobe from '@ffprobe-installer/ffprobe'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import * as z from 'zod'
import { sandboxSpeech } from '../infra/ai/sandbox-speech.ts'
import { sandboxVideo } from '../infra/ai/sandbox-video.ts'
import type { ClipLook, ClipRequest, VideoModel } from '../infra/ai/video.ts'
import { ASPECT_RATIOS } from '../domain/post/aspect-ratio.ts'
import { PLATFORM_KEYS } from '../domain/core/platform.ts'
import { bytesSource } from '../infra/media/byte-source.ts'
import { HttpFailure, type Http } from '../infra/http/http.ts'
import { mediaFacts } from '../infra/media/media-facts.ts'
import { platforms } from '../platforms/registry.ts'
import { layOutCard } from '../packages/sandbox/ai/card.ts'
import { clipArguments } from '../packages/sandbox/ai/clip-arguments.ts'
import { readFont } from '../packages/sandbox/ai/font.ts'
import { runProgram } from '../packages/sandbox/ai/run-program.ts'
import { RENDERER, renderTools } from '../packages/sandbox/ai/tools.ts'
import { startSandbox, type Sandbox } from '../packages/sandbox/index.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { movableClock } from './support/movable-clock.ts'
import { givenHttp, givenSandbox, ids, postJson } from './support/sandbox.ts'

const { signal } = new AbortController()
/** What a clip is rendered of at worst: control characters, halves of pairs, all directions, ffmpeg's own language. */
const WORST = [
  "%{eif:1/0:d} '\\'',[v];[v]nullsink:x=\n\r\t\0\u0007\u2028\ud800 \udc00",
  'مرحبا בעולם \u202eobackwards\u202c 日本語 👩‍👩‍👧‍👦🏳️‍🌈🇩🇪 ﷽',
  `e${'\u0301'.repeat(300)} ${'W'.repeat(500)} ${'word '.repeat(1_000)}`,
]
  .join(' ')
  .slice(0, 4_000)

const clipRequest = (more: Partial<ClipRequest> = {}): ClipRequest => ({
  ...{ key: 'clip-1', prompt: 'Fresh bread at seven', aspectRatio: '1:1' },
  ...more,
})

async function givenFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fanfare-renderer-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function givenVideos(t: Test, options: Parameters<typeof givenSandbox>[1] = {}) {
  const http = givenHttp(t)
  const sandbox = await givenSandbox(t, options)
  return { http, sandbox, model: sandboxVideo({ http, url: sandbox.url }) }
}

/** The end of a job: looks at it until it is done. */
async function endOf(model: VideoModel, handle: string): Promise<Extract<ClipLook, { state: 'done' }>> {
  for (const end = Date.now() + 60_000; Date.now() < end; await systemClock.sleep(20)) {
    const look = await model.look(handle, clipRequest(), signal)
    if (look.state === 'done') return look
  }
  throw new Error('waited in vain for the clip')
}

async function clipOf(http: Http, { clip }: Extract<ClipLook, { state: 'done' }>): Promise<Buffer> {
  if (!('url' in clip)) throw new Error('the clip has no address')
  const { status, headers, body } = await http.request(clip.url, { maxBytes: 20_000_000 })
  if (status !== 200 || headers['content-type'] !== 'video/mp4') throw new Error(`no clip: ${status}`)
  return Buffer.from(body)
}

const text = z.string()
const jobs = z.array(
  z.strictObject({ id: text, key: text, prompt: text, aspectRatio: text, status: text, createdAt: text }),
)
async function jobsOf(http: Http, { url }: Pick<Sandbox, 'url'>) {
  return jobs.parse((await http.request(`${url}/_control/videos`)).json())
}

const probed = z.object({
  streams: z.array(z.record(z.string(), z.unknown())),
  format: z.object({ duration: z.coerce.number() }),
  packets: z.array(z.object({ pts_time: z.coerce.number(), flags: z.string() })),
})
async function probe(t: Test, clip: Buffer) {
  const file = join(await givenFolder(t), 'clip.mp4')
  await writeFile(file, clip)
  const what = ['-show_streams', '-show_format', '-show_packets', '-of', 'json', file]
  const { stdout } = await promisify(execFile)(ffprobe.path, ['-v', 'error', ...what], { maxBuffer: 10_000_000 })
  return probed.parse(JSON.parse(stdout))
}

t.test('given a prompt, when it is laid out, then the card has as much of it as there is room for', async (t) => {
  const { fontFile } = await renderTools(RENDERER, signal)
  const font = readFont(await readFile(fontFile))
  const widthOf = (text: string) =>
    [...text].reduce((width, character) => width + (font.advanceOf(character) ?? NaN), 0)

  t.same(
    ['A', 'i', '日', '\u0301'].map((character) => font.advanceOf(character)?.toFixed(3)),
    ['0.684', '0.278', undefined, '0.000'],
  )
  const prompt = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 4_000 }),
    fc.string({ unit: 'grapheme', maxLength: 4_000, size: 'max' }),
    fc
      .array(fc.constantFrom('bread', 'W'.repeat(90), 'مرحبا', '\n', '\u0000', '🙂'), { maxLength: 900, size: 'max' })
      .map((words) => words.join(' ')),
  )
  fc.assert(
    fc.property(prompt, fc.constantFrom(...ASPECT_RATIOS), (text, shape) => {
      const { width, height, lines } = layOutCard(text, shape, font)
      const bottoms = lines.map(({ baseline }) => baseline)
      return (
        lines.length >= 2 &&
        lines.at(-1)?.text === 'Sandbox renderer: a title card, made without AI' &&
        lines.every(({ text, size }) => text !== '' && widthOf(text) * size <= width - 100) &&
        lines.every(({ size, baseline }) => baseline > size && baseline < height - 20) &&
        bottoms.every((bottom, index) => index === 0 || bottom > (bottoms[index - 1] ?? 0))
      )
    }),
    { numRuns: 40 },
  )

  const titleOf = (text: string) => layOutCard(text, '9:16', font).lines.slice(0, -1)
  t.same(
    titleOf('  Fresh\n\tbread ').map(({ text }) => text),
    ['Fresh bread'],
  )
  t.same(
    titleOf('日本 🧿')
      .map(({ text }) => text)
      .join(' '),
    'The font of the sandbox does not cover this prompt',
  )
  const long = titleOf('bread '.repeat(600))
  t.match(long.at(-1)?.text, /^bread .*bread…$/, 'what has no room ends with an ellipsis')
  t.ok((long[0]?.size ?? 0) < (titleOf('bread')[0]?.size ?? 0), 'a long text is written smaller')
  t.equal(
    titleOf('x'.repeat(90))
      .map(({ text }) => text)
      .join(''),
    'x'.repeat(90),
    'a word that is too wide is broken, not cut',
  )

  const said = clipArguments(layOutCard(WORST, '9:16', font)).join('\n')
  t.match(said, /^[\n -~]+$/)
  t.notMatch(said, /eif|nullsink|word/, 'no text is among the arguments of ffmpeg')
  t.equal(said.split('drawtext=').length, said.split(':expansion=none:').length, 'each text is taken as it is')
})

t.test('given the sandbox as renderer', async (t) => {
  const dataDir = await givenFolder(t)
  const { http, sandbox, model } = await givenVideos(t, { dataDir })
  const kept: { handle: string; clip: Buffer }[] = []

  for (const [aspectRatio, prompt, width, height] of [
    ['9:16', WORST, 720, 1280],
    ['1:1', '.', 720, 720],
    ['16:9', 'A street at dawn', 1280, 720],
  ] as const) {
    await t.test(`when a clip of ${aspectRatio} is asked for, then it is one that every platform takes`, async (t) => {
      const handle = await model.begin(clipRequest({ key: aspectRatio, prompt, aspectRatio }), signal)
      const end = await endOf(model, handle)
      t.match(end, { provider: 'sandbox', model: 'sandbox-renderer' })
      const clip = await clipOf(http, end)
      kept.push({ handle, clip })

      const { streams, format, packets } = await probe(t, clip)
      const [picture, sound, ...others] = streams
      t.match(picture, {
        ...{ codec_name: 'h264', profile: 'High', pix_fmt: 'yuv420p', width, height, sample_aspect_ratio: '1:1' },
        ...{
          r_frame_rate: '30/1',
          avg_frame_rate: '30/1',
          nb_frames: '150',
          color_space: 'bt709',
          field_order: 'progressive',
        },
      })
      t.match(sound, { codec_name: 'aac', profile: 'LC', sample_rate: '48000', channels: 2 })
      t.same(others, [])
      t.ok(format.duration >= 5 && format.duration < 5.1, `${format.duration} s`)
      const keys = packets.filter(({ flags }) => flags.startsWith('K')).map(({ pts_time }) => pts_time)
      for (const second of [0, 2, 4]) t.ok(keys.includes(second), `a group of pictures begins at ${second} s`)
      t.ok(clip.indexOf('moov') < clip.indexOf('mdat'), 'its index comes first, so it plays while it loads')

      const facts = await mediaFacts(bytesSource(clip))
      t.match(facts, { mediaType: 'video', mimeType: 'video/mp4', width, height })
      const takers = PLATFORM_KEYS.filter((key) => platforms[key].takes.video)
      t.ok(takers.length > 1)
      for (const key of takers) {
        t.same(platforms[key].check({ text: 'Bread', mediaType: 'video' }, facts), [], key)
        t.ok(facts.bytes <= (platforms[key].takes.video?.maxBytes ?? 0), key)
      }
    })
  }

  await t.test('when only a part of the clip is asked for, then it is served (RFC 9110 §14)', async (t) => {
    const [{ handle, clip } = { handle: '', clip: Buffer.alloc(0) }] = kept
    const url = `${sandbox.url}/ai/videos/${handle}.mp4`
    const part = await http.request(url, { headers: { range: 'bytes=100-199' } })
    t.equal(part.status, 206)
    t.equal(part.headers['content-range'], `bytes 100-199/${clip.length}`)
    t.ok(clip.subarray(100, 200).equals(part.body))
    t.equal((await http.request(url, { headers: { range: `bytes=${clip.length}-` } })).status, 416)
    const job = (await http.request(`${sandbox.url}/ai/videos/${handle}`)).json()
    t.same(job, { id: handle, status: 'done', progressPct: 100, model: 'sandbox-renderer', url })
    const head = await http.request(url, { method: 'HEAD' })
    t.match(head, { status: 200, headers: { 'content-length': String(clip.length), 'accept-ranges': 'bytes' } })
  })

  await t.test('when there is no such video, then it is not found', async (t) => {
    t.equal((await http.request(`${sandbox.url}/ai/videos/nothing`)).status, 404)
    t.equal((await http.request(`${sandbox.url}/ai/videos/${encodeURIComponent('../videos.ndjson')}.mp4`)).status, 404)
    await t.rejects(model.look('nothing/../else', clipRequest(), signal), {
      kind: 'permanent',
      message: /no longer has the job/,
    })
  })

  await t.test('when a field is wrong, then it is named, and nothing begun', async (t) => {
    const before = (await jobsOf(http, sandbox)).length
    for (const [field, value] of [
      ['key', ''],
      ['prompt', ''],
      ['prompt', 'x'.repeat(4_001)],
      ['aspectRatio', '4:5'],
      ['seconds', 3],
    ] as const) {
      const refused = await postJson(http, `${sandbox.url}/ai/videos`, { ...clipRequest(), [field]: value })
      t.equal(refused.status, 400, field)
      t.match(refused.text(), field)
    }
    t.equal((await jobsOf(http, sandbox)).length, before)
  })

  await t.test('when a job is begun again by its key, even after a restart, then it is the same one', async (t) => {
    const [{ handle, clip } = { handle: '', clip: Buffer.alloc(0) }] = kept
    const again = clipRequest({ key: '9:16', prompt: WORST, aspectRatio: '9:16' })
    t.equal(await model.begin(again, signal), handle)
    await t.rejects(model.begin({ ...again, prompt: 'Another' }, signal), {
      kind: 'permanent',
      message: /status 409: key/,
    })
    const before = await jobsOf(http, sandbox)

    await sandbox.close()
    const second = await givenVideos(t, { dataDir })
    t.equal(await second.model.begin(again, signal), handle)
    t.ok(clip.equals(await clipOf(http, await endOf(second.model, handle))))
    t.same(await jobsOf(http, second.sandbox), before)
    t.match(
      before.map(({ key, status }) => [key, status]),
      ASPECT_RATIOS.map((shape) => [shape, 'done']),
    )
  })
})

t.test(
  'given a sandbox that is killed while it renders, then no half clip is left, and the job is done after the next start',
  async (t) => {
    const dataDir = await givenFolder(t)
    const http = givenHttp(t)
    const program = fileURLToPath(new URL('support/sandbox-process.ts', import.meta.url))
    const child = spawn(process.execPath, ['--import=tsx', program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    t.teardown(() => child.kill('SIGKILL'))
    const [url] = z.tuple([z.string()]).parse(await once(createInterface(child.stdout), 'line'))
    const request = clipRequest({ aspectRatio: '16:9', prompt: 'A street at dawn' })
    const handle = await sandboxVideo({ http, url }).begin(request, signal)
    const folder = join(dataDir, 'videos')
    const isRendering = async () =>
      (await readdir(folder, { recursive: true }).catch(() => [])).some((name) => /^work-.*clip\.mp4$/.test(name))
    for (const end = Date.now() + 60_000; Date.now() < end && !(await isRendering());) await systemClock.sleep(2)
    child.kill('SIGKILL')
    await ended
    t.same(
      (await readdir(folder)).filter((name) => !name.startsWith('work-')),
      [],
    )

    const { model, sandbox } = await givenVideos(t, { dataDir })
    t.equal(await model.begin(request, signal), handle)
    const clip = await clipOf(http, await endOf(model, handle))
    t.match(await mediaFacts(bytesSource(clip)), { mediaType: 'video', width: 1280, height: 720 })
    t.equal((await jobsOf(http, sandbox)).length, 1)
    t.same(await readdir(folder), [`${handle}.mp4`], 'nothing else is left')

    await rm(join(folder, `${handle}.mp4`))
    await sandbox.close()
    const third = await givenVideos(t, { dataDir })
    t.match(
      await third.model.look(handle, request, signal),
      { state: 'rendering' },
      'a clip that was lost is rendered again',
    )
    await third.sandbox.close()
    t.same(await readdir(folder), [], 'closing ends what is rendered')
  },
)

t.test('given a sandbox with little room, when clips are made, then those unused for longest go', async (t) => {
  const [dataDir, clock] = [await givenFolder(t), movableClock()]
  const clipLimits = { maxBytes: 1, maxAgeMs: 24 * 3_600_000, inUseMs: 60_000 }
  const options = { port: 0, host: '127.0.0.1', dataDir, clock, ids, clipLimits } as const
  const [http, sandbox] = [givenHttp(t), await startSandbox(options)]
  t.teardown(() => sandbox.close())
  const model = sandboxVideo({ http, url: sandbox.url })
  const made = async (key: string) => {
    const handle = await model.begin(clipRequest({ key }), signal)
    return { handle, end: await endOf(model, handle) }
  }
  const files = () => readdir(join(dataDir, 'videos'))
  const oldest = await made('oldest')
  const young = await made('young')
  t.equal((await files()).length, 2, 'what was just made stays')
  await clock.advanceTo(clock.now() + 120_000)
  await clipOf(http, young.end)
  const newest = await made('newest')
  const kept = [young, newest].map(({ handle }) => `${handle}.mp4`).sort()
  for (const end = Date.now() + 60_000; Date.now() < end && (await files()).length > 2;) await systemClock.sleep(2)
  t.same((await files()).sort(), kept, 'and what was just asked for')
  t.equal((await http.request(`${sandbox.url}/ai/videos/${oldest.handle}.mp4`)).status, 404)
  await t.rejects(model.look(oldest.handle, clipRequest(), signal), { kind: 'permanent', message: /removed to make/ })
  await sandbox.close()

  await writeFile(join(dataDir, 'videos', `${oldest.handle}.mp4`), 'left by a kill')
  await clock.advanceTo(clock.now() + 25 * 3_600_000)
  const next = await startSandbox(options)
  t.teardown(() => next.close())
  t.same(await files(), [], 'none outlives a day, and none is rendered again')
})

t.test('given a prompt with a wish', async (t) => {
  const { http, sandbox, model } = await givenVideos(t)
  const wishing = (wish: string) => clipRequest({ key: wish, prompt: `Bread [sandbox video=${wish}]` })
  const begun = async () => (await jobsOf(http, sandbox)).map(({ key }) => key)

  await t.test('when it wishes for refusal, then nothing is begun', async (t) => {
    await t.rejects(model.begin(wishing('busy'), signal), {
      kind: 'retryable',
      message: /status 503: the renderer is over/,
    })
    await t.rejects(model.begin(wishing('refuse'), signal), {
      kind: 'permanent',
      message: /status 422: the renderer ref/,
    })
    t.same(await begun(), [])
  })

  await t.test('when it wishes for a lost answer, then the job is begun, once', async (t) => {
    await t.rejects(model.begin(wishing('lost'), signal), { name: 'GenerationError', kind: 'ambiguous' })
    t.same(await begun(), ['lost'])
    const handle = await model.begin(wishing('lost'), signal)
    t.same(await begun(), ['lost'])
    t.match(await model.look(handle, wishing('lost'), signal), { state: 'rendering', lookAgainMs: Number })
  })

  await t.test('when it wishes for failure, then the job fails after it was begun', async (t) => {
    const handle = await model.begin(wishing('fail'), signal)
    await t.rejects(endOf(model, handle), {
      kind: 'permanent',
      message: 'The clip was not rendered: the prompt asks for a failure',
    })
    t.equal((await http.request(`${sandbox.url}/ai/videos/${handle}.mp4`)).status, 404)
  })

  await t.test('when it wishes to be stuck, then the job is never done', async (t) => {
    const handle = await model.begin(wishing('stuck'), signal)
    t.match(await model.look(handle, wishing('stuck'), signal), { state: 'rendering' })
    const { status } = (await jobsOf(http, sandbox)).find(({ id }) => id === handle) ?? {}
    t.equal(status, 'rendering')
  })
})

t.test('given the sandbox as voice', async (t) => {
  const http = givenHttp(t)
  const { url } = await givenSandbox(t)
  const model = sandboxSpeech({ http, url })
  const { voices = [] } = model
  const text = 'Fresh bread at seven, every day.'

  await t.test('when a text is spoken by each of its voices, then each is a WAV file of its own', async (t) => {
    const spoken = await Promise.all(
      [undefined, ...voices].map((voiceId) => model.speak({ key: `in ${voiceId}`, text, voiceId }, signal)),
    )
    for (const { bytes, ...about } of spoken) {
      t.same(about, { mimeType: 'audio/wav', provider: 'sandbox', model: 'sandbox-voice' })
      const wav = Buffer.from(bytes)
      t.equal(wav.toString('latin1', 0, 4) + wav.toString('latin1', 8, 16), 'RIFFWAVEfmt ')
      t.same(
        [wav.readUInt16LE(20), wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34)],
        [1, 1, 22_050, 16],
      )
      t.equal(wav.readUInt32LE(40), wav.length - 44, 'its header has its length')
      const seconds = (wav.length - 44) / 2 / 22_050
      t.ok(seconds > 1.5 && seconds < 5, `${seconds} s`)
      t.ok(
        wav.subarray(44).some((byte) => byte > 20 && byte < 235),
        'it is not silent',
      )
    }
    t.equal(new Set(spoken.map(({ bytes }) => Buffer.from(bytes).toString('base64'))).size, voices.length)
  })

  await t.test('when a speech is asked for again by its key, then it is the same', async (t) => {
    const request = { key: 'again', text: `--help -v\n${WORST}` }
    const first = await model.speak(request, signal)
    t.ok(first.bytes.length > 5_000_000, 'a long one')
    t.ok(Buffer.from(first.bytes).equals((await model.speak(request, signal)).bytes))
    await t.rejects(model.speak({ ...request, text }, signal), { kind: 'permanent', message: /status 409: key/ })
  })

  await t.test('when it cannot be spoken, then it says why', async (t) => {
    const speak = (text: string, voiceId?: string) =>
      model.speak({ key: `${voiceId} ${text}`.slice(0, 200), text, voiceId }, signal)
    for (const [text, voiceId, kind, message] of [
      ['Bread', 'tlh-x', 'permanent', /status 422: voice: unknown voice tlh-x/],
      ['Bread', '../de', 'permanent', /status 400: voice: must be the name of a voice/],
      [' . ', undefined, 'permanent', /status 422: text: contains nothing to speak/],
      ['x'.repeat(20_001), undefined, 'permanent', /status 400: text/],
      ['Bread [sandbox voice=fail]', undefined, 'permanent', /status 422/],
      ['Bread [sandbox voice=busy]', undefined, 'retryable', /status 503/],
      ['Bread [sandbox voice=lost]', undefined, 'ambiguous', /did not respond/],
    ] as const) {
      await t.rejects(speak(text, voiceId), { name: 'GenerationError', kind, message }, String(message))
    }
    t.match(await speak('Bread [sandbox voice=lost]'), { mimeType: 'audio/wav' }, 'asked again, it answers')
  })
})

t.test(
  'given a machine where nothing is installed that renders, then it says how to mend that, and all else works',
  async (t) => {
    const renderer = await givenFolder(t)
    const http = givenHttp(t)
    const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', clock: systemClock, ids, renderer })
    t.teardown(() => sandbox.close())
    const model = sandboxVideo({ http, url: sandbox.url })
    const how = {
      kind: 'retryable',
      message: /status 503: .* is not installed on this machine\. .* npm ci --include=optional$/,
    }
    await t.rejects(model.begin(clipRequest(), signal), how)
    await t.rejects(sandboxSpeech({ http, url: sandbox.url }).speak({ key: 'a', text: 'Bread' }, signal), how)
    t.same(await jobsOf(http, sandbox), [])
    const text = { instruction: 'Rewrite it.', data: [{ name: 'caption', text: 'Bread' }], maxChars: 100 }
    t.equal((await postJson(http, `${sandbox.url}/ai/text`, text)).status, 200)

    const { PATH } = process.env
    t.teardown(() => (process.env['PATH'] = PATH))
    const bin = join(renderer, 'bin')
    await mkdir(bin)
    await mkdir(join(renderer, 'node_modules'))
    const font = createRequire(join(RENDERER, 'package.json')).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')
    await symlink(dirname(dirname(font)), join(renderer, 'node_modules', 'dejavu-fonts-ttf'))
    process.env['PATH'] = bin
    await t.rejects(renderTools(renderer, signal), { name: 'SandboxRefusal', message: /^ffmpeg is not installed/ })
    await symlink((await renderTools(RENDERER, signal)).ffmpeg, join(bin, 'ffmpeg'))
    t.match(
      await renderTools(renderer, signal),
      { ffmpeg: 'ffmpeg' },
      'one of the system takes the place of the package’s',
    )
  },
)

t.test('given a program that fails, then it is stopped, and its last output is reported', async (t) => {
  const node = (script: string, limitMs = 60_000, signal = new AbortController().signal) =>
    runProgram({ command: process.execPath, args: ['-e', script], input: 'x'.repeat(1_000_000), limitMs }, signal)
  const stopping = new AbortController()
  const stopped = node('setInterval(() => {}, 1000)', 60_000, stopping.signal)
  const waiting = t.rejects(stopped, { name: 'ProgramFailure' })
  stopping.abort()
  await waiting
  await t.rejects(node('setInterval(() => {}, 1000)', 100), { message: /took longer than 0.1 s/, exitCode: undefined })
  await t.rejects(node('console.error("one\\ntwo"); process.exit(7)'), { message: 'two', exitCode: 7 })
  await t.rejects(node('process.exit(7)'), { message: 'it exited with code 7' })
  await t.rejects(runProgram({ command: '/no/such/program', args: [], limitMs: 1_000 }, signal), { message: /ENOENT/ })
  await t.rejects(node('', 60_000, AbortSignal.abort()), { message: /stopped before it started/ })
})

type Answer = { readonly status: number; readonly body: string } | HttpFailure

/** An HTTP client that gives one answer to everything. */
function answering(answer: Answer): Http {
  return {
    request: async () => {
      if (answer instanceof HttpFailure) throw answer
      const json = (): unknown => JSON.parse(answer.body)
      return { status: answer.status, headers: {}, body: Buffer.from(answer.body), text: () => answer.body, json }
    },
    stream: async () => Promise.reject(new Error('not asked for')),
    close: async () => undefined,
  }
}

t.test(
  'given a sandbox that answers otherwise than it should, then the models say what may have come of it',
  async (t) => {
    const timeout = new HttpFailure('timeout', 'too slow', true)
    const unreachable = new HttpFailure('unreachable', 'nobody is there', false)
    const blocked = new HttpFailure('blocked', 'not allowed', false)
    const html = (status: number) => ({ status, body: '<html>' })
    const at = (answer: Answer) => ({ http: answering(answer), url: 'http://127.0.0.1:1' })
    const beginnings = {
      begin: (answer: Answer): Promise<unknown> => sandboxVideo(at(answer)).begin(clipRequest(), signal),
      speak: (answer: Answer): Promise<unknown> => sandboxSpeech(at(answer)).speak({ key: 'a', text: 'a' }, signal),
    }
    for (const [name, begin] of Object.entries(beginnings)) {
      for (const [answer, kind] of [
        [html(200), 'ambiguous'],
        [{ status: 202, body: '{"id":""}' }, 'ambiguous'],
        [html(302), 'permanent'],
        [html(401), 'permanent'],
        [html(429), 'retryable'],
        [html(503), 'retryable'],
        [html(500), 'ambiguous'],
        [html(502), 'ambiguous'],
        [timeout, 'ambiguous'],
        [unreachable, 'retryable'],
        [blocked, 'permanent'],
      ] as const) {
        const what = answer instanceof HttpFailure ? answer.kind : answer.status
        await t.rejects(begin(answer), { name: 'GenerationError', kind }, `${name}: ${what}`)
      }
    }

    const look = (answer: Answer, given = signal) => sandboxVideo(at(answer)).look('a', clipRequest(), given)
    for (const [answer, kind] of [
      [{ status: 200, body: '{"status":"failed","error":"no room"}' }, 'permanent'],
      [html(404), 'permanent'],
      [html(200), 'retryable'],
      [{ status: 200, body: '{"status":"done","url":"elsewhere"}' }, 'retryable'],
      [{ status: 200, body: '{"status":"lost"}' }, 'retryable'],
      [html(401), 'retryable'],
      [html(500), 'retryable'],
      [timeout, 'retryable'],
      [blocked, 'retryable'],
    ] as const) {
      await t.rejects(look(answer), { name: 'GenerationError', kind }, JSON.stringify(answer))
    }
    const stopping = new HttpFailure('aborted', 'the service is stopping', true)
    await t.rejects(look(stopping, AbortSignal.abort()), { name: 'HttpFailure', kind: 'aborted' })
  },
)
