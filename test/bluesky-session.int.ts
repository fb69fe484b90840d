import t from 'tap'
import { bluesky } from '../platforms/bluesky/index.ts'
import type { CredentialStore } from '../platforms/kit/platform.ts'
import type { Clock } from '../infra/runtime/clock.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import {
  connected,
  jobOf,
  mediaHost,
  platformError,
  postsOf,
  referenceServer,
  sandboxServer,
} from './support/bluesky.ts'
import { prepare, publish } from './support/connector.ts'
import { interceptingProxy } from './support/intercepting-proxy.ts'
import { startPds } from './support/pds.ts'
import { givenHttp, givenSandbox, memoryCredentials } from './support/sandbox.ts'

// Passwords are hashed slowly on purpose, and the reference server hashes three for each account made.

const pds = await startPds()
t.teardown(() => pds.close())
const http = givenHttp(t)
const sandbox = await givenSandbox(t)
const media = await mediaHost(t)
const servers = [referenceServer(pds), sandboxServer(sandbox, http)]
const image = { mediaUrl: `${media.url}/sample.jpg` }

const CREATE = 'com.atproto.server.createSession'
const REFRESH = 'com.atproto.server.refreshSession'
const PUT = 'com.atproto.repo.putRecord'

for (const server of servers) {
  t.test(`connecting logs in once and returns the account, on ${server.name}`, async (t) => {
    const { did, handle, appPassword } = await server.createAccount()
    const proxy = await interceptingProxy(t, server.url)
    const io = { http, media: unused, clock: systemClock, signal: AbortSignal.timeout(20_000) }
    const given = { identifier: ` @${handle}`, appPassword }
    const { credentials, ...who } = await bluesky.connect(given, proxy.url, io)
    t.same(who, { externalId: did, label: handle })
    t.match(credentials, { identifier: handle, appPassword, did, pdsUrl: proxy.url, serviceUrl: proxy.url })
    t.same(proxy.calls, [CREATE])
  })

  t.test(`a wrong password or identifier asks for a new login, on ${server.name}`, async (t) => {
    const account = await server.createAccount()
    for (const wrong of [
      { ...account, appPassword: 'aaaa-bbbb-cccc-dddd' },
      { ...account, did: 'nobody.test' },
    ]) {
      t.match(await platformError(connected(http, wrong, server.url)), { kind: 'needs-reauth' })
    }
  })

  t.test(`two posts need no login but the first, on ${server.name}`, async (t) => {
    const author = await server.createAccount()
    const proxy = await interceptingProxy(t, server.url)
    const { account, io } = await connected(http, author, proxy.url)
    for (const _ of [1, 2]) {
      const job = jobOf(account, image)
      await publish(bluesky, job, await prepare(bluesky, job, io), io)
    }
    t.equal(proxy.calls.filter((call) => call === CREATE).length, 1)
    t.notOk(proxy.calls.includes(REFRESH))
  })

  t.test(
    `a refresh token that is dead is replaced by one login with the app password, on ${server.name}`,
    async (t) => {
      const author = await server.createAccount()
      const proxy = await interceptingProxy(t, server.url)
      const { account, credentials, io } = await connected(http, author, proxy.url)
      const job = jobOf(account, image)
      const handle = await prepare(bluesky, job, io)
      await endSession(server.url, (await credentials.read())['refreshJwt'])
      await spoilAccess(credentials)
      const before = proxy.calls.length

      await publish(bluesky, job, handle, io)
      t.same(proxy.calls.slice(before), [PUT, REFRESH, CREATE, PUT])
      t.equal((await postsOf(http, server, author.did)).length, 1)
      await publish(bluesky, job, handle, io)
      t.same(proxy.calls.slice(before + 4), [PUT], 'the new session was kept')
    },
  )

  t.test(`an app password that was revoked asks for a new login, on ${server.name}`, async (t) => {
    const author = await server.createAccount()
    const { account, credentials, io } = await connected(http, author, server.url)
    const job = jobOf(account, image)
    const handle = await prepare(bluesky, job, io)
    await author.revokeAppPassword()
    await spoilAccess(credentials)

    t.match(await platformError(publish(bluesky, job, handle, io)), { kind: 'needs-reauth' })
    t.same(await postsOf(http, server, author.did), [])
  })

  t.test(`jobs that find the session run out at the same time renew it once, on ${server.name}`, async (t) => {
    const author = await server.createAccount()
    const proxy = await interceptingProxy(t, server.url)
    const { account, credentials, io } = await connected(http, author, proxy.url)
    await spoilAccess(credentials)

    await Promise.all(
      [1, 2, 3].map(async () => {
        const job = jobOf(account, image)
        await publish(bluesky, job, await prepare(bluesky, job, io), io)
      }),
    )
    t.equal(proxy.calls.filter((call) => call === REFRESH).length, 1)
    t.equal((await postsOf(http, server, author.did)).length, 3)
  })

  t.test(`a refresh whose answer was lost is repeated with the old token, on ${server.name}`, async (t) => {
    const author = await server.createAccount()
    const proxy = await interceptingProxy(t, server.url)
    const { account, credentials, io } = await connected(http, author, proxy.url)
    const job = jobOf(account, image)
    const handle = await prepare(bluesky, job, io)
    await spoilAccess(credentials)

    proxy.next(REFRESH, { kind: 'lose-answer' })
    t.match(await platformError(publish(bluesky, job, handle, io)), { kind: 'retryable' }, 'nothing was put')
    await publish(bluesky, job, handle, io)
    t.equal(proxy.calls.filter((call) => call === CREATE).length, 1, 'no second login')
  })
}

t.test('an access token that the server calls expired is refreshed and the put done again', async (t) => {
  const server = referenceServer(pds)
  const author = await server.createAccount()
  const proxy = await interceptingProxy(t, server.url)
  const { account, credentials, io } = await connected(http, author, proxy.url)
  const job = jobOf(account, image)
  const handle = await prepare(bluesky, job, io)
  const accessJwt = pds.accessToken(author.did, Math.floor(Date.now() / 1000) - 60)
  await credentials.renew(await credentials.read(), async (kept) => ({ ...kept, accessJwt }))
  const before = proxy.calls.length

  const slow: Clock = { ...systemClock, now: () => systemClock.now() - 3_600_000 }
  await publish(bluesky, job, handle, { ...io, clock: slow })
  t.same(proxy.calls.slice(before), [PUT, REFRESH, PUT], 'by a clock that is slow: the server said so')
  t.equal((await postsOf(http, server, author.did)).length, 1)

  await credentials.renew(await credentials.read(), async (kept) => ({ ...kept, accessJwt }))
  await publish(bluesky, job, handle, io)
  t.same(proxy.calls.slice(before + 3), [REFRESH, PUT], 'by a clock that is right: it is not even tried')
})

t.test('a token expired by script is refreshed, on the sandbox', async (t) => {
  const server = sandboxServer(sandbox, http)
  const author = await server.createAccount()
  const proxy = await interceptingProxy(t, server.url)
  const { account, io } = await connected(http, author, proxy.url)
  const job = jobOf(account, image)
  const handle = await prepare(bluesky, job, io)
  const scripted = { ...fault, accountId: author.did, kind: 'token_expired' } as const
  sandbox.faults.script({ ...scripted, call: 'publish' })
  sandbox.faults.script({ ...scripted, call: 'refresh' })
  const before = proxy.calls.length

  await publish(bluesky, job, handle, io)
  t.same(proxy.calls.slice(before), [PUT, REFRESH, CREATE, PUT])
})

t.test(
  'given a session that is ended again before it is used, then it is renewed again, and the post is there once',
  async (t) => {
    const server = sandboxServer(sandbox, http)
    const author = await server.createAccount()
    const proxy = await interceptingProxy(t, server.url)
    const { account, io } = await connected(http, author, proxy.url)
    const job = jobOf(account, image)
    const handle = await prepare(bluesky, job, io)
    const scripted = { ...fault, accountId: author.did, call: 'publish', kind: 'token_expired' } as const
    sandbox.faults.script({ ...scripted, times: 2 })
    const before = proxy.calls.length

    await publish(bluesky, job, handle, io)
    t.same(proxy.calls.slice(before), [PUT, REFRESH, PUT, REFRESH, PUT])
    t.equal((await postsOf(http, server, author.did)).length, 1)

    await t.test('when that continues, then the account has to be connected again', async (t) => {
      sandbox.faults.script({ ...scripted, times: 4 })
      t.match(await platformError(publish(bluesky, jobOf(account, image), handle, io)), { kind: 'needs-reauth' })
      t.same(sandbox.faults.pending(), [], 'it is tried four times')
    })
  },
)

t.test('too many logins are refused with the time to wait, by the reference server', async (t) => {
  const limited = await startPds({ rateLimits: true })
  t.teardown(() => limited.close())
  const server = referenceServer(limited)
  const account = await server.createAccount()
  const wrong = { ...account, appPassword: 'aaaa-bbbb-cccc-dddd' }
  await Promise.all(Array.from({ length: 30 }, () => platformError(connected(http, wrong, server.url))))

  const error = await platformError(connected(http, account, server.url))
  t.equal(error.kind, 'retryable')
  t.ok(error.retryAfterMs !== undefined && error.retryAfterMs > 200_000 && error.retryAfterMs <= 300_000)
})

t.test('credentials that are not whole ask for a new login', async (t) => {
  const server = sandboxServer(sandbox, http)
  const { account, io } = await connected(http, await server.createAccount(), server.url)
  const credentials = memoryCredentials({ identifier: 'a', appPassword: 'b' })
  const error = await platformError(prepare(bluesky, jobOf(account, image), { ...io, credentials }))
  t.match(error, { kind: 'needs-reauth' })
  const missing = await platformError(bluesky.connect({ identifier: 'a' }, server.url, io))
  t.match(missing, { kind: 'permanent', message: /appPassword/ })
})

const fault = { platform: 'bluesky', times: 1, delayMs: 0, retryAfterSeconds: 30, accepted: false } as const

const unused = {
  spool: async () => {
    throw new Error('connecting needs no media')
  },
}

/** The stored access token is one that its server did not sign. */
async function spoilAccess(credentials: CredentialStore): Promise<void> {
  const spoilt = (token = ''): string => `${token.slice(0, -8)}AAAAAAAA`
  await credentials.renew(await credentials.read(), async (kept) => ({ ...kept, accessJwt: spoilt(kept['accessJwt']) }))
}

async function endSession(url: string, refreshJwt: string | undefined): Promise<void> {
  const headers = { authorization: `Bearer ${refreshJwt}` }
  const { status } = await http.request(`${url}/xrpc/com.atproto.server.deleteSession`, { method: 'POST', headers })
  if (status !== 200) throw new Error(`deleteSession answered ${status}`)
}
