import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { checkPlatform } from '../app/cli/platform-check/check.ts'
import { hurriedClock } from '../app/cli/platform-check/sandbox-run.ts'
import { connectAccount } from '../commands/connect-account.ts'
import { handle } from '../commands/handle.ts'
import { account } from '../domain/account/account.ts'
import { PLATFORM_KEYS, type PlatformKey } from '../domain/core/platform.ts'
import type { HttpResponse } from '../infra/http/http.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { mediaSource } from '../platforms/kit/media-spool.ts'
import type { PlatformAccount, PlatformIo } from '../platforms/kit/platform.ts'
import { platforms } from '../platforms/registry.ts'
import { memoryLog } from './support/memory-log.ts'
import { givenAccount, givenHttp, givenSandbox, memoryCredentials } from './support/sandbox.ts'
import { causedBy } from './support/world.ts'

/** An account on a platform that may answer otherwise than the sandbox does. */
async function given(
  t: Test,
  platform: PlatformKey,
  otherwise: (url: string, response: HttpResponse) => HttpResponse = (_url, response) => response,
) {
  const clock = hurriedClock()
  const sandbox = await givenSandbox(t, { clock })
  const plain = givenHttp(t)
  const { credentials, externalId, label, baseUrl } = await givenAccount(plain, sandbox, platform)
  const http: PlatformIo['http'] = {
    ...plain,
    request: async (url, request) => otherwise(url, await plain.request(url, request)),
  }
  const directory = t.testdir()
  const media = mediaSource({ http, clock: systemClock, directory })
  const signal = AbortSignal.timeout(300_000)
  const connected = await platforms[platform].connect(credentials, baseUrl, { http, media, clock, signal })
  const store = memoryCredentials(connected.credentials)
  const log = memoryLog()
  const command = { workspaceId: 'ws_1', platform, externalId, label, baseUrl }
  await handle({ log, clock }, account, 'acc_1', causedBy('connect'), (state) => connectAccount(state, command))
  const access = {
    platform: (key: PlatformKey) => platforms[key],
    run: <T>(_account: PlatformAccount, _ms: number, _signal: AbortSignal, work: (io: PlatformIo) => Promise<T>) =>
      work({ http, media, clock, signal, credentials: store }),
  }
  const out = join(directory, 'report.md')
  const asked: string[] = []
  const check = (options: Partial<Parameters<typeof checkPlatform>[2]> = {}) =>
    checkPlatform({ log, clock, access }, 'acc_1', {
      media: `${sandbox.url}/media/sample.${platforms[platform].takes.image ? 'jpg' : 'mp4'}`,
      confirm: async (question) => asked.push(question) > 0,
      tell: () => undefined,
      ...{ out, ...options },
    })
  return { check, asked, sandbox, report: () => readFile(out, 'utf8'), secrets: Object.values(connected.credentials) }
}

for (const platform of PLATFORM_KEYS) {
  t.test(`given ${platform}, when it is checked, then every step works, and nothing differs or remains`, async (t) => {
    const { check, asked, sandbox, report, secrets } = await given(t, platform)
    const { steps, differences } = await check()
    t.same(
      steps.filter(({ outcome }) => outcome === 'failed'),
      [],
    )
    t.same(differences, [])
    t.equal(asked.length, 1)
    const isDeleted = steps.some(({ name, outcome }) => name === 'delete the post' && outcome === 'ok')
    t.equal(sandbox.ledger.posts(platform).length, isDeleted ? 0 : 1)
    t.equal(isDeleted, !['instagram', 'tiktok'].includes(platform))
    const text = await report()
    t.match(text, /\| publish \| ok/)
    for (const secret of secrets) if (secret.length >= 10) t.notOk(text.includes(secret), 'no secret in the report')
  })
}

t.test('given a platform that answers otherwise than its stand-in', async (t) => {
  const { check, report, sandbox } = await given(t, 'x', (url, response) => {
    if (!url.endsWith('/2/tweets')) return response
    const { data } = response.json() as { data: { id: string; text?: string } }
    const body = JSON.stringify({ data: { id: data.id, edit_history: [{ secret: 'a value' }] } })
    return { ...response, body: Buffer.from(body), text: () => body, json: () => JSON.parse(body) as unknown }
  })

  await t.test('when it is checked dry, then nothing is published', async (t) => {
    const { steps } = await check({ dry: true })
    t.match(steps.at(-1), { name: 'publish', outcome: 'skipped' })
    t.equal(sandbox.ledger.posts('x').length, 0)
  })

  await t.test('when the user declines, then nothing is published', async (t) => {
    await t.rejects(check({ confirm: async () => false }), { message: 'Nothing was published.' })
    t.equal(sandbox.ledger.posts('x').length, 0)
  })

  await t.test('when it is checked, then the report has each field that differs, and no values', async (t) => {
    const { differences } = await check()
    t.match(differences, [
      {
        step: 'publish',
        call: 'POST /2/tweets',
        what: 'answers data.edit_history[].secret: string; not in the sandbox',
      },
    ])
    const text = await report()
    t.match(text, /edit_history\[\]\.secret: string/)
    t.notMatch(text, /a value/)
  })

  await t.test('when the media is missing or of another type, then the message names the option', async (t) => {
    await t.rejects(check({ media: undefined }), { message: /--media is required/ })
    await t.rejects(check({ type: 'text' }), { message: '--type must be video or image on x' })
  })

  await t.test('when the report cannot be written, then nothing is published', async (t) => {
    const before = sandbox.ledger.posts('x').length
    await t.rejects(check({ out: '/no/such/folder/report.md' }), { message: /--out.*no such file or directory/ })
    t.equal(sandbox.ledger.posts('x').length, before)
  })
})
