import t from 'tap'
import * as z from 'zod'
import { bluesky } from '../platforms/bluesky/index.ts'
import { startSandbox, type Sandbox } from '../packages/sandbox/index.ts'
import { systemClock, type Clock } from '../infra/runtime/clock.ts'
import { prepare, publish } from './support/connector.ts'
import { connected, jobOf, mediaHost, platformError, postsOf, sandboxServer } from './support/bluesky.ts'
import { givenAccount, givenHttp, givenSandbox, ids, postJson } from './support/sandbox.ts'

const http = givenHttp(t)
const media = await mediaHost(t)
const image = { mediaUrl: `${media.url}/sample.jpg` }

function bearer(token: string | undefined): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

t.test('accounts, sessions, posts and what was deleted outlive a restart of the sandbox', async (t) => {
  const dataDir = t.testdir()
  const start = (): Promise<Sandbox> => startSandbox({ port: 0, host: '127.0.0.1', dataDir, clock: systemClock, ids })
  const first = await start()
  const server = sandboxServer(first, http)
  const author = await server.createAccount()
  const { account, credentials, io } = await connected(http, author, server.url)
  const { accessJwt } = await credentials.read()
  const posted = async (text: string): Promise<string> => {
    const job = jobOf(account, { ...image, text })
    return (await publish(bluesky, job, await prepare(bluesky, job, io), io)).postId
  }
  const [kept, gone] = [await posted('kept'), await posted('gone')]
  const target = { repo: author.did, collection: 'app.bsky.feed.post', rkey: gone.slice(-13) }
  await postJson(http, `${server.url}/xrpc/com.atproto.repo.deleteRecord`, target, bearer(accessJwt))
  const before = await postsOf(http, server, author.did)
  t.same(
    before.map(({ uri }) => uri),
    [kept],
  )
  await first.close()

  const second = await start()
  t.teardown(() => second.close())
  const again = sandboxServer(second, http)
  t.same(await postsOf(http, again, author.did), before)
  const session = `${again.url}/xrpc/com.atproto.server.getSession`
  t.match((await http.request(session, { headers: bearer(accessJwt) })).json(), { did: author.did, active: true })
})

t.test('no two records of one millisecond get one key, even where chance gives it twice', async (t) => {
  const now = systemClock.now()
  const drawn: string[] = []
  const sandbox = await startSandbox({
    ...{ port: 0, host: '127.0.0.1', clock: { ...systemClock, now: () => now } },
    ids: { ...ids, token: () => drawn.shift() ?? ids.token() },
  })
  t.teardown(() => sandbox.close())
  const { externalId: accountId } = await givenAccount(http, sandbox, 'bluesky')
  const comment = { platform: 'bluesky', accountId, author: 'Fan', text: 'Nice' }
  drawn.push('alike', 'alike', 'alike', 'other')
  const written = new Set<string>()
  for (let index = 0; index < 3; index++) {
    const response = await postJson(http, `${sandbox.url}/_control/comments`, comment)
    written.add(z.object({ id: z.string() }).parse(response.json()).id)
  }
  t.equal(written.size, 3)
})

t.test('access tokens of the sandbox end after two hours, refresh tokens after ninety days', async (t) => {
  let now = systemClock.now()
  const clock: Clock = { now: () => now, sleep: systemClock.sleep }
  const sandbox = await givenSandbox(t, { clock })
  const server = sandboxServer(sandbox, http)
  const { credentials } = await connected(http, await server.createAccount(), server.url)
  const { accessJwt, refreshJwt } = await credentials.read()
  const refusal = z.object({ error: z.string() })
  const check = async (method: 'GET' | 'POST', nsid: string, token: string | undefined): Promise<string> => {
    const response = await http.request(`${server.url}/xrpc/${nsid}`, { method, headers: bearer(token) })
    return response.status === 200 ? 'ok' : refusal.parse(response.json()).error
  }
  const access = (): Promise<string> => check('GET', 'com.atproto.server.getSession', accessJwt)
  const refresh = (): Promise<string> => check('POST', 'com.atproto.server.refreshSession', refreshJwt)

  now += 7_190_000
  t.equal(await access(), 'ok')
  now += 20_000
  t.equal(await access(), 'ExpiredToken')
  t.equal(await refresh(), 'ok')
  now += 7_190_000
  t.equal(await refresh(), 'ok', 'used before, but its answer may have been lost')
  now += 20_000
  t.equal(await refresh(), 'ExpiredToken', 'the time for that is over')
})

t.test('an account of the sandbox has a DID, and no other id', async (t) => {
  const sandbox = await givenSandbox(t)
  const asked = { platform: 'bluesky', externalId: 'alice' }
  const response = await postJson(http, `${sandbox.url}/_control/accounts`, asked)
  t.match([response.status, response.text()], [400, /did:plc/])
})

t.test('a method that the sandbox lacks differs from a wrong call', async (t) => {
  const sandbox = await givenSandbox(t)
  const server = sandboxServer(sandbox, http)
  const { credentials } = await connected(http, await server.createAccount(), server.url)
  const { accessJwt } = await credentials.read()
  const response = await http.request(`${server.url}/xrpc/app.bsky.feed.getTimeline`, { headers: bearer(accessJwt) })
  t.match([response.status, response.json()], [501, { error: 'MethodNotImplemented' }])
})

t.test('what was fetched for a post is deleted again, whether it was prepared or not', async (t) => {
  const sandbox = await givenSandbox(t)
  const server = sandboxServer(sandbox, http)
  const { account, io } = await connected(http, await server.createAccount(), server.url)
  let open = 0
  const counting = {
    ...io.media,
    spool: async (...given: Parameters<typeof io.media.spool>) => {
      const spooled = await io.media.spool(...given)
      open += 1
      return { ...spooled, dispose: () => spooled.dispose().finally(() => (open -= 1)) }
    },
  }
  await prepare(bluesky, jobOf(account, image), { ...io, media: counting })
  t.equal(open, 0)
  const elsewhere = { ...account, baseUrl: `${server.url}/nowhere` }
  await platformError(prepare(bluesky, jobOf(elsewhere, image), { ...io, media: counting }))
  t.equal(open, 0)
})
