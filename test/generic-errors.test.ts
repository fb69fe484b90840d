import t from 'tap'
import type { Http } from '../platforms/http.ts'
import { systemClock } from '../system/clock.ts'
import { prepare, publish } from './support/connector.ts'
import { failure, givenJob, instagram, live, scriptFault } from './support/generic-scene.ts'
import { ioOf } from './support/sandbox.ts'

t.test('each failure of a publish is told apart', async (t) => {
  const scene = await givenJob(t)
  const { job, io } = scene
  const handle = await prepare(instagram, job, io)
  let wentLive = 0

  for (const [fault, expected, accepted] of [
    [{ kind: 'reject' }, { ...failure('permanent'), message: /answered 400: .*rejected/ }, false],
    [{ kind: 'rate_limit', retryAfterSeconds: 7 }, { ...failure('retryable'), retryAfterMs: 7_000 }, false],
    [{ kind: 'server_error' }, failure('ambiguous'), false],
    [{ kind: 'server_error', accepted: true }, failure('ambiguous'), true],
    [{ kind: 'accept_then_timeout', delayMs: 0 }, failure('ambiguous'), true],
    [{ kind: 'token_expired', times: 2 }, failure('needs-reauth'), false],
  ] as const) {
    await scriptFault(scene, fault)
    if (accepted) wentLive += 1
    await t.rejects(publish(instagram, job, handle, io), expected, JSON.stringify(fault))
    t.equal(live(scene).length, wentLive, accepted ? 'and it is live' : 'and nothing went live')
    t.same(scene.sandbox.faults.pending(), [])
  }

  await scriptFault(scene, { kind: 'slow', delayMs: 60_000 })
  const impatient = { ...io, signal: AbortSignal.timeout(200) }
  await t.rejects(publish(instagram, job, handle, impatient), failure('ambiguous'), 'given up while it was under way')

  const nowhere = { ...job, account: { ...job.account, baseUrl: 'http://127.0.0.1:1/instagram' } }
  await t.rejects(publish(instagram, nowhere, handle, io), failure('retryable'), 'no connection: it surely did nothing')
  const blocked = { ...job, account: { ...job.account, baseUrl: 'http://10.0.0.1/instagram' } }
  await t.rejects(publish(instagram, blocked, handle, io), failure('permanent'), 'the outbound guard')
})

t.test(
  'looking tells nothing when the server does not know the question, and is to be repeated when it fails',
  async (t) => {
    const { job, io } = await givenJob(t)
    const of = (baseUrl: string) => ({ ...job, account: { ...job.account, baseUrl } })
    t.same(await instagram.find?.(of(`${job.account.baseUrl}/v2`), {}, io), { outcome: 'unknown' })
    await t.rejects(async () => instagram.find?.(of('http://127.0.0.1:1/instagram'), {}, io), failure('retryable'))
  },
)

t.test('what is wrong with a post is found before anything is sent', async (t) => {
  const scene = await givenJob(t)
  const { job, io } = scene
  const message = /takes 2200 characters, this text has 2201/
  await t.rejects(prepare(instagram, { ...job, text: '🎺'.repeat(2_201) }, io), { ...failure('permanent'), message })
  await t.rejects(publish(instagram, job, { mediaId: 7 }, io), failure('permanent'), 'a handle that is not one')
  await t.rejects(publish(instagram, job, { mediaId: 'gone' }, io), {
    ...failure('permanent'),
    message: /no such media/,
  })
  t.same(live(scene), [])
})

t.test('a renewal that fails says whether the account must be connected again', async (t) => {
  const scene = await givenJob(t)
  const { job, account, http } = scene
  const handle = await prepare(instagram, job, scene.io)
  const stale = () => ioOf(http, { ...account.credentials, accessToken: 'void' })

  for (const [fault, kind] of [
    [{ kind: 'rate_limit' }, 'retryable'],
    [{ kind: 'server_error' }, 'retryable'],
    [{ kind: 'accept_then_timeout', delayMs: 0 }, 'retryable'],
    [{ kind: 'reject' }, 'needs-reauth'],
    [{ kind: 'token_expired' }, 'needs-reauth'],
  ] as const) {
    await scriptFault(scene, { ...fault, call: 'refresh' })
    await t.rejects(publish(instagram, job, handle, stale()), failure(kind), fault.kind)
  }
  const { accessToken: _, ...refreshOnly } = account.credentials
  t.ok(await publish(instagram, job, handle, ioOf(http, { accessToken: 'void', ...refreshOnly })))
  await t.rejects(publish(instagram, job, handle, ioOf(http, { accessToken: 'void' })), failure('needs-reauth'))
  t.equal(live(scene).length, 1, 'nothing went out under a void token')
})

t.test('what is shown to the user holds no token', async (t) => {
  const scene = await givenJob(t)
  const { job, io, account } = scene
  const handle = await prepare(instagram, job, io)
  for (const kind of ['reject', 'server_error', 'rate_limit', 'accept_then_timeout']) {
    await scriptFault(scene, { kind, delayMs: 0 })
    const error: unknown = await publish(instagram, job, handle, io).catch((reason: unknown) => reason)
    const shown = error instanceof Error ? `${error.message} ${String(error.cause)}` : t.fail('it failed')
    for (const secret of Object.values(account.credentials)) t.notOk(String(shown).includes(secret), kind)
  }
})

t.test('Retry-After is read as seconds and as a date', async (t) => {
  const scene = await givenJob(t)
  const now = Date.parse('2026-03-01T10:00:00Z')
  for (const [header, retryAfterMs] of [
    ['12', 12_000],
    ['Sun, 01 Mar 2026 10:01:30 GMT', 90_000],
    ['Sun, 01 Mar 2026 09:00:00 GMT', 0],
    ['soon', undefined],
  ] as const) {
    const http: Http = {
      ...scene.http,
      request: async (url, request) => ({
        ...(await scene.http.request(url, request)),
        status: 429,
        headers: { 'retry-after': header },
      }),
    }
    const io = ioOf(http, scene.account.credentials, { clock: { ...systemClock, now: () => now } })
    await t.rejects(
      publish(instagram, scene.job, { mediaId: 'm' }, io),
      { ...failure('retryable'), retryAfterMs },
      header,
    )
  }
})

t.test('an answer that makes no sense leaves a publish ambiguous, and anything else to be repeated', async (t) => {
  const scene = await givenJob(t)
  const { job, account } = scene
  const handle = await prepare(instagram, job, scene.io)
  const plain = await scene.http.request(`${scene.sandbox.url}/`)
  for (const [status, publishKind, findKind] of [
    [200, 'ambiguous', 'retryable'],
    [408, 'ambiguous', 'retryable'],
    [503, 'ambiguous', 'retryable'],
  ] as const) {
    const http: Http = { ...scene.http, request: async () => ({ ...plain, status }) }
    const io = ioOf(http, account.credentials)
    await t.rejects(publish(instagram, job, handle, io), failure(publishKind), `publish: ${status} and a page`)
    await t.rejects(async () => instagram.find?.(job, handle, io), failure(findKind), `find: ${status} and a page`)
  }
  for (const status of [302, 404, 409]) {
    const http: Http = { ...scene.http, request: async () => ({ ...plain, status }) }
    const io = ioOf(http, account.credentials)
    await t.rejects(publish(instagram, job, handle, io), failure('permanent'), `publish: ${status}`)
  }
})
