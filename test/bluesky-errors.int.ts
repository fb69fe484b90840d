import t, { type Test } from 'tap'
import { bluesky } from '../platforms/bluesky/index.ts'
import type { PlatformErrorKind } from '../platforms/kit/platform.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { prepare, publish } from './support/connector.ts'
import { connected, jobOf, mediaHost, platformError, postsOf, sandboxServer } from './support/bluesky.ts'
import { interceptingProxy, type Interception } from './support/intercepting-proxy.ts'
import { closedPort } from './support/outbound-servers.ts'
import { givenHttp, givenSandbox } from './support/sandbox.ts'

const http = givenHttp(t)
const sandbox = await givenSandbox(t)
const media = await mediaHost(t)
const server = sandboxServer(sandbox, http)
const image = { mediaUrl: `${media.url}/sample.jpg` }

const PUT = 'putRecord'
const UPLOAD = 'uploadBlob'

async function scene(t: Test) {
  const author = await server.createAccount()
  const proxy = await interceptingProxy(t, server.url)
  const { account, credentials, io } = await connected(http, author, proxy.url)
  return { author, proxy, account, credentials, io, job: jobOf(account, image) }
}

const answer = (status: number, error: string, message = 'as the server says it', headers = {}): Interception => ({
  kind: 'answer',
  status,
  headers,
  body: JSON.stringify({ error, message }),
})
const html: Interception = { kind: 'answer', status: 502, body: '<html>Bad gateway</html>' }
const unreadable: Interception = { kind: 'answer', status: 200, body: '{"ok":' }
const otherwise: Interception = { kind: 'answer', status: 200, body: '{"ok":true}' }

/** An answer, and what it means to a call that nobody sees and to the one that publishes. */
const ANSWERS: readonly (readonly [Interception, hidden: PlatformErrorKind, visible: PlatformErrorKind])[] = [
  [answer(401, 'AuthenticationRequired'), 'needs-reauth', 'needs-reauth'],
  [answer(401, 'AuthFactorTokenRequired'), 'needs-reauth', 'needs-reauth'],
  [answer(401, 'AccountDeactivated'), 'permanent', 'permanent'],
  [answer(401, 'AccountTakedown'), 'permanent', 'permanent'],
  [answer(400, 'AccountTakedown'), 'permanent', 'permanent'],
  [answer(403, 'AccountNotFound'), 'permanent', 'permanent'],
  [answer(400, 'InvalidRequest'), 'permanent', 'permanent'],
  [answer(400, 'InvalidMimeType'), 'permanent', 'permanent'],
  [answer(400, 'BlobNotFound'), 'retryable', 'retryable'],
  [answer(413, 'PayloadTooLarge'), 'permanent', 'permanent'],
  [answer(429, 'RateLimitExceeded'), 'retryable', 'retryable'],
  [answer(408, 'RequestTimeout'), 'retryable', 'ambiguous'],
  [answer(500, 'InternalServerError'), 'retryable', 'ambiguous'],
  [answer(502, 'UpstreamFailure'), 'retryable', 'ambiguous'],
  [answer(503, 'NotEnoughResources'), 'retryable', 'ambiguous'],
  [html, 'retryable', 'ambiguous'],
  [unreadable, 'retryable', 'ambiguous'],
  [otherwise, 'retryable', 'ambiguous'],
  [{ kind: 'lose-answer' }, 'retryable', 'ambiguous'],
  [{ kind: 'cut' }, 'retryable', 'ambiguous'],
]

t.test('every response of the server is classified', async (t) => {
  const { author, proxy, io, job } = await scene(t)
  const handle = await prepare(bluesky, job, io)
  for (const [interception, hidden, visible] of ANSWERS) {
    const what = interception.kind === 'answer' ? `${interception.status} ${interception.body}` : interception.kind
    proxy.next(UPLOAD, interception)
    t.equal((await platformError(prepare(bluesky, job, io))).kind, hidden, `upload: ${what}`)
    proxy.next(PUT, interception)
    t.equal((await platformError(publish(bluesky, job, handle, io))).kind, visible, `put: ${what}`)
  }
  t.equal((await postsOf(http, server, author.did)).length, 1, 'only one of them was passed on')
})

t.test('a refusal is passed on in the words of the server', async (t) => {
  const { proxy, io, job } = await scene(t)
  const handle = await prepare(bluesky, job, io)
  proxy.next(PUT, answer(400, 'InvalidRequest', 'grapheme too big (maximum 300, got 301)'))
  t.match((await platformError(publish(bluesky, job, handle, io))).message, /maximum 300, got 301/)
})

t.test('the end of a rate limit is when to try again', async (t) => {
  const { proxy, io, job } = await scene(t)
  const handle = await prepare(bluesky, job, io)
  const now = 1_795_257_600_000
  const clock = { ...systemClock, now: () => now }
  const waits: readonly (readonly [headers: Record<string, string>, ms: number | undefined])[] = [
    [{ 'ratelimit-reset': String(now / 1_000 + 90) }, 90_000],
    [{ 'ratelimit-reset': String(now / 1_000 - 5) }, 1_000],
    [{ 'retry-after': '7' }, 7_000],
    [{}, undefined],
  ]
  for (const [headers, ms] of waits) {
    proxy.next(PUT, answer(429, 'RateLimitExceeded', 'Rate Limit Exceeded', headers))
    const error = await platformError(publish(bluesky, job, handle, { ...io, clock }))
    const { kind, retryAfterMs, accountRests } = error
    t.same([kind, retryAfterMs, accountRests], ['retryable', ms, true], JSON.stringify(headers))
  }
})

t.test('a server that is not there, or not allowed, has surely not published', async (t) => {
  const { io, job } = await scene(t)
  const handle = await prepare(bluesky, job, io)
  const elsewhere = (baseUrl: string) => ({ ...job, account: { ...job.account, baseUrl } })
  const gone = elsewhere(`http://127.0.0.1:${await closedPort()}`)
  t.match(await platformError(publish(bluesky, gone, handle, io)), { kind: 'retryable' })
  const inside = elsewhere('http://10.0.0.1')
  t.match(await platformError(publish(bluesky, inside, handle, io)), { kind: 'permanent' })
})

t.test('work whose time is up ends at once', async (t) => {
  const { author, io, job } = await scene(t)
  const handle = await prepare(bluesky, job, io)
  const signal = AbortSignal.abort()
  t.match(await platformError(prepare(bluesky, job, { ...io, signal })), { kind: 'retryable' })
  t.match(await platformError(publish(bluesky, job, handle, { ...io, signal })), { kind: 'retryable' })
  t.same(await postsOf(http, server, author.did), [])
})

t.test('a mention whose look-up fails stays plain text', async (t) => {
  const { author, proxy, account, io } = await scene(t)
  proxy.next('resolveHandle', answer(502, 'UpstreamFailure'))
  const job = jobOf(account, { ...image, text: 'with @alice.test' })
  await publish(bluesky, job, await prepare(bluesky, job, io), io)
  const [post] = await postsOf(http, server, author.did)
  t.equal(post?.value['text'], 'with @alice.test')
  t.notOk(post?.value['facets'])
})

t.test('a post that stands at the key but cannot be read leaves the outcome open', async (t) => {
  const { proxy, io, job } = await scene(t)
  const handle = await prepare(bluesky, job, io)
  proxy.next(PUT, answer(400, 'InvalidSwap', 'Record was at bafyrei'))
  proxy.next('getRecord', html)
  t.match(await platformError(publish(bluesky, job, handle, io)), { kind: 'ambiguous' })
})

t.test('an upload that the server has dropped is made again by the next attempt', async (t) => {
  const { author, proxy, io, job } = await scene(t)
  proxy.next(PUT, answer(400, 'BlobNotFound'))
  const first = await prepare(bluesky, job, io)
  t.match(await platformError(publish(bluesky, job, first, io)), { kind: 'retryable' })
  const again = await prepare(bluesky, job, io)
  t.same(again, first, 'the same record under the same key')
  await publish(bluesky, job, again, io)
  t.equal((await postsOf(http, server, author.did)).length, 1)
})

t.test('a handle that is not of this connector is refused', async (t) => {
  const { io, job } = await scene(t)
  t.match(await platformError(publish(bluesky, job, { mediaId: '1' }, io)), { kind: 'permanent' })
})

t.test('what the sandbox is scripted to do reaches the connector as the real thing would', async (t) => {
  const { author, io, account } = await scene(t)
  const fault = { platform: 'bluesky', call: 'publish', accountId: author.did, times: 1 } as const
  const rest = { delayMs: 50, retryAfterSeconds: 30, accepted: false }
  const faults: readonly (readonly [object, PlatformErrorKind, posts: number])[] = [
    [{ kind: 'reject' }, 'permanent', 0],
    [{ kind: 'rate_limit' }, 'retryable', 0],
    [{ kind: 'server_error' }, 'ambiguous', 0],
    [{ kind: 'server_error', accepted: true }, 'ambiguous', 1],
    [{ kind: 'accept_then_timeout' }, 'ambiguous', 1],
  ]
  for (const [more, kind, posts] of faults) {
    const job = jobOf(account, image)
    const handle = await prepare(bluesky, job, io)
    const before = sandbox.ledger.posts('bluesky', { accountId: author.did }).length
    sandbox.faults.script({ ...fault, ...rest, kind: 'reject', ...more })
    const error = await platformError(publish(bluesky, job, handle, io))
    t.equal(error.kind, kind, JSON.stringify(more))
    if (error.kind === 'retryable') t.ok((error.retryAfterMs ?? 0) > 28_000 && (error.retryAfterMs ?? 0) <= 31_000)
    const count = (): number => sandbox.ledger.posts('bluesky', { accountId: author.did }).length - before
    t.equal(count(), posts, `${posts} live after ${JSON.stringify(more)}`)
    await publish(bluesky, job, handle, io)
    t.equal(count(), 1, 'and one after the repeat')
  }
})

t.test('what is published shows in the ledger of the sandbox', async (t) => {
  const { author, io, account } = await scene(t)
  const job = jobOf(account, { ...image, text: 'Seen #here' })
  const { postId } = await publish(bluesky, job, await prepare(bluesky, job, io), io)
  const shown = await http.request(`${sandbox.url}/_control/posts?platform=bluesky&accountId=${author.did}`)
  t.match(shown.json(), [{ id: postId, accountId: author.did, caption: 'Seen #here', mediaUrl: String }])
  const [post] = sandbox.ledger.posts('bluesky', { accountId: author.did })
  t.equal(post?.mediaType, 'image')
  const blob = await http.request(post?.mediaUrl ?? '')
  t.match(blob.json(), { mediaType: 'image', mimeType: 'image/jpeg', bytes: 58742 })
  t.ok(Date.parse(post?.createdAt ?? '') <= Date.now())
})
