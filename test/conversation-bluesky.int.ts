import { randomUUID } from 'node:crypto'
import { jsonToLex, lexicons } from '@atproto/api'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import * as z from 'zod'
import { conversation } from '../platforms/bluesky/conversation.ts'
import { bluesky } from '../platforms/bluesky/index.ts'
import { COLLECTION, type Reference } from '../platforms/bluesky/record.ts'
import { tidFor } from '../platforms/bluesky/tid.ts'
import type { FetchedComment, ReplyJob } from '../platforms/kit/conversation.ts'
import { PlatformError, type PlatformErrorKind } from '../platforms/kit/platform.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { startAppView } from './support/bluesky-app-view.ts'
import { fanAt, referenceAudience, sandboxAudience, type Audience } from './support/bluesky-audience.ts'
import { connected, platformError, postsOf, replyJobOf, writePost, type Connected } from './support/bluesky.ts'
import { interceptingProxy, type Interception } from './support/intercepting-proxy.ts'
import { closedPort } from './support/outbound-servers.ts'
import { startPds } from './support/pds.ts'
import { givenHttp, givenSandbox } from './support/sandbox.ts'

// Passwords are hashed slowly on purpose, and the reference server hashes three for each account made.

const appView = await startAppView(t)
const pds = await startPds({ appView })
t.teardown(() => pds.close())
appView.readFrom(pds.url)
const http = givenHttp(t)
const sandbox = await givenSandbox(t)
const fan = await fanAt(http, pds, appView, 'Fan of All')
const onReference = referenceAudience(pds, fan, 'Fan of All')
const onSandbox = sandboxAudience(sandbox, http, 'Fan of All')
const audiences = [onReference, onSandbox]

const LIST = 'app.bsky.notification.listNotifications'
const THREAD = 'app.bsky.feed.getPostThread'
const OWN = 'com.atproto.repo.listRecords'
const PUT = 'com.atproto.repo.putRecord'
const REFRESH = 'com.atproto.server.refreshSession'
const LONG_AGO = '2020-01-01T00:00:00.000Z'

/** An account with one post, through a proxy that tells its calls. */
async function scene(t: Test, { server }: Audience) {
  const owner = await server.createAccount()
  const proxy = await interceptingProxy(t, server.url)
  const author = await connected(http, owner, proxy.url)
  const post = await writePost(http, author, { text: 'What do you think?' })
  return { ...author, owner, author, post, proxy, server }
}
type Scene = Awaited<ReturnType<typeof scene>>

async function fetched({ account, io }: Connected, since = LONG_AGO): Promise<readonly FetchedComment[]> {
  const pages = []
  for await (const page of conversation.fetch(account, since, io)) pages.push(...page)
  return pages
}

async function only({ author }: Scene, uri: string): Promise<FetchedComment> {
  const found = (await fetched(author)).find(({ id }) => id === uri)
  if (!found) throw new Error(`${uri} was not fetched`)
  return found
}

async function oneComment(audience: Audience, given: Scene): Promise<FetchedComment> {
  return only(given, await audience.answers(given.author, given.post, 'Nice!'))
}

function referenceOf({ id: uri, references: { commentCid: cid = '' } }: FetchedComment): Reference {
  return { uri, cid }
}

/** The account's records that answer somebody, as anyone can read them. */
async function repliesOf({ owner, server }: Scene) {
  return (await postsOf(http, server, owner.did)).filter(({ value }) => value['reply'] !== undefined)
}

const answer = (status: number, error: string, headers = {}): Interception => {
  return { kind: 'answer', status, headers, body: JSON.stringify({ error, message: 'as the server says it' }) }
}

t.test('the platform answers what is written to it', (t) => {
  t.equal(bluesky.conversation, conversation)
  t.equal(conversation.proof, 'idempotent-key', 'a repeat settles a lost answer')
  t.end()
})

for (const audience of audiences) {
  const where = `on ${audience.server.name}`

  t.test(`comments and mentions are fetched with all that a reply needs, ${where}`, async (t) => {
    const given = await scene(t, audience)
    const { author, post, proxy } = given
    const before = Date.now()
    const comment = await audience.answers(author, post, 'Grüße 👋')
    const mention = await audience.mentions(author, 'Have you seen @them?')
    const calls = proxy.calls.length

    const found = new Map((await fetched(author)).map((one) => [one.id, one]))
    t.equal(found.size, 2)
    const common = { author: audience.name, authorId: /^did:plc:/, replied: false }
    t.match(found.get(comment), { ...common, kind: 'comment', postId: post.uri, text: 'Grüße 👋' })
    t.match(found.get(mention), { ...common, kind: 'mention', text: 'Have you seen @them?' })
    t.equal(found.get(mention)?.postId, undefined)
    const commentCid = found.get(comment)?.references.commentCid
    t.same(found.get(comment)?.references, { rootUri: post.uri, rootCid: post.cid, commentCid })
    const mentionCid = found.get(mention)?.references.commentCid
    t.same(found.get(mention)?.references, { rootUri: mention, rootCid: mentionCid, commentCid: mentionCid })
    t.match(commentCid, /^bafyrei/)
    t.not(commentCid, mentionCid)
    for (const { createdAt } of found.values()) {
      t.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      t.ok(Date.parse(createdAt) >= before && Date.parse(createdAt) <= Date.now())
    }
    t.same(proxy.calls.slice(calls), [LIST, OWN, OWN], 'few calls for all of it')
  })

  t.test(`nothing older than requested is fetched, and a comment of exactly that time is, ${where}`, async (t) => {
    const { author, post } = await scene(t, audience)
    for (const text of ['one', 'two', 'three']) {
      await audience.answers(author, post, text)
      await systemClock.sleep(2)
    }
    const times = (await fetched(author)).map(({ createdAt }) => createdAt).sort()
    t.equal(new Set(times).size, 3)
    for (const [index, since] of times.entries()) {
      const texts = (await fetched(author, since)).map(({ text }) => text).sort()
      t.same(texts, ['one', 'two', 'three'].slice(index).sort())
    }
  })

  t.test(`an account without comments costs one call, ${where}`, async (t) => {
    const { author, proxy } = await scene(t, audience)
    const calls = proxy.calls.length
    t.same(await fetched(author), [])
    t.same(proxy.calls.slice(calls), [LIST])
  })

  t.test(`a reply stands under its comment, shows as answered and is no post of its own, ${where}`, async (t) => {
    const given = await scene(t, audience)
    const comment = await oneComment(audience, given)
    const job = replyJobOf(given.account, comment, { text: 'Thanks! https://example.com #fans' })
    t.same(await conversation.find?.(job, given.io), { outcome: 'absent' })
    const sent = await conversation.reply(job, given.io)
    t.same(await conversation.find?.(job, given.io), { outcome: 'found', found: sent })

    const rkey = tidFor(job.key, job.approvedAt)
    const { did } = given.owner
    t.same(sent, { replyId: `at://${did}/${COLLECTION}/${rkey}`, url: `https://bsky.app/profile/${did}/post/${rkey}` })
    const [reply, ...more] = await repliesOf(given)
    t.same(more, [])
    const { rootUri, rootCid, commentCid } = comment.references
    t.match(reply, {
      uri: sent.replyId,
      value: {
        $type: COLLECTION,
        text: job.text,
        createdAt: job.approvedAt,
        reply: { root: { uri: rootUri, cid: rootCid }, parent: { uri: comment.id, cid: commentCid } },
        facets: [{ features: [{ uri: 'https://example.com' }] }, { features: [{ tag: 'fans' }] }],
      },
    })
    t.match(await fetched(given.author), [{ id: comment.id, replied: true }])
  })

  t.test(`an answer that was written by hand counts, one to another comment does not, ${where}`, async (t) => {
    const given = await scene(t, audience)
    const { author, post } = given
    const [answered, other] = [await oneComment(audience, given), await audience.mentions(author, 'Hello')]
    await writePost(http, author, { text: 'By hand', reply: { root: post, parent: referenceOf(answered) } })
    const replied = (await fetched(author)).map(({ id, replied }) => [id, replied] as const)
    t.same(
      new Map(replied),
      new Map([
        [answered.id, true],
        [other, false],
      ]),
    )
  })

  t.test(`an answer older than a hundred posts is still seen, ${where}`, async (t) => {
    const given = await scene(t, audience)
    const comment = await oneComment(audience, given)
    await conversation.reply(replyJobOf(given.account, comment), given.io)
    for (let post = 0; post < 101; post++) await writePost(http, given.author, { text: `Post ${post}` })
    const calls = given.proxy.calls.length
    t.match(await fetched(given.author), [{ id: comment.id, replied: true }])
    t.same(given.proxy.calls.slice(calls), [LIST, OWN, OWN, OWN])
  })

  t.test(`posts from before the time asked for are not looked through, ${where}`, async (t) => {
    const given = await scene(t, audience)
    const { author, proxy } = given
    for (let post = 0; post < 100; post++) await writePost(http, author, { text: `Post ${post}` }, LONG_AGO)
    const { id, createdAt } = await oneComment(audience, given)
    const calls = proxy.calls.length
    t.match(await fetched(author, createdAt), [{ id, replied: false }])
    t.same(proxy.calls.slice(calls), [LIST, OWN])
  })

  for (const kind of ['lose-answer', 'cut'] as const) {
    t.test(`a reply is made once, whatever became of its answers (${kind}), ${where}`, async (t) => {
      const given = await scene(t, audience)
      const job = replyJobOf(given.account, await oneComment(audience, given))
      for (const _ of [1, 2]) {
        given.proxy.next(PUT, { kind })
        t.match(await platformError(conversation.reply(job, given.io)), { kind: 'ambiguous' })
        t.equal((await repliesOf(given)).length, kind === 'cut' ? 0 : 1)
      }
      const { replyId } = await conversation.reply(job, given.io)
      const [reply, ...more] = await repliesOf(given)
      t.same([reply?.uri, more], [replyId, []])
    })
  }

  t.test(`four times the same reply at once is one, ${where}`, async (t) => {
    const given = await scene(t, audience)
    const job = replyJobOf(given.account, await oneComment(audience, given))
    const sent = await Promise.all([1, 2, 3, 4].map(() => conversation.reply(job, given.io)))
    t.equal(new Set(sent.map(({ replyId }) => replyId)).size, 1)
    t.equal((await repliesOf(given)).length, 1)
  })

  t.test(`the same words in two replies are two, and a key that is taken is not overwritten, ${where}`, async (t) => {
    const given = await scene(t, audience)
    const job = replyJobOf(given.account, await oneComment(audience, given))
    await conversation.reply(job, given.io)
    await conversation.reply({ ...job, key: randomUUID() }, given.io)
    const before = await repliesOf(given)
    t.equal(before.length, 2)
    const error = await platformError(conversation.reply({ ...job, text: 'Other words' }, given.io))
    t.match(error, { kind: 'permanent', message: /another post/i })
    t.same(await repliesOf(given), before)
  })

  t.test(`a comment that is not there is not answered, ${where}`, async (t) => {
    const given = await scene(t, audience)
    const comment = await oneComment(audience, given)
    const gone = { ...comment, id: `at://${fan.did}/${COLLECTION}/3kabcabcabc22` }
    const error = await platformError(conversation.reply(replyJobOf(given.account, gone), given.io))
    t.match(error, { kind: 'permanent', message: /no longer on Bluesky/ })
    given.proxy.next(THREAD, answer(400, 'ExpiredToken'))
    given.proxy.next(PUT, answer(400, 'ExpiredToken'))
    t.match(await platformError(conversation.reply(replyJobOf(given.account, gone), given.io)), { kind: 'permanent' })
    t.same(await repliesOf(given), [])
  })

  t.test(`missing or malformed references are refused permanently, ${where}`, async (t) => {
    const given = await scene(t, audience)
    const comment = await oneComment(audience, given)
    for (const wrong of [{ rootUri: 'x' }, { rootCid: 'x' }, { commentCid: 'x' }]) {
      const job = replyJobOf(given.account, comment, { references: { ...comment.references, ...wrong } })
      t.match(await platformError(conversation.reply(job, given.io)), { kind: 'permanent' }, JSON.stringify(wrong))
    }
    for (const name of conversation.requires) {
      const { [name]: _, ...references } = comment.references
      const job = replyJobOf(given.account, comment, { references })
      t.match(await platformError(conversation.reply(job, given.io)), { kind: 'permanent' }, `no ${name}`)
    }
    t.same(await repliesOf(given), [])
  })

  t.test(`a text at the limit is sent, ${where}, and a longer one is refused with limit and value`, async (t) => {
    const given = await scene(t, audience)
    const comment = await oneComment(audience, given)
    const family = '👨‍👩‍👧‍👦'
    for (const text of ['x'.repeat(300), `${family.repeat(119)}${'x'.repeat(25)}`]) {
      t.same(conversation.check(text), [])
      await conversation.reply(replyJobOf(given.account, comment, { text }), given.io)
    }
    t.equal((await repliesOf(given)).length, 2)
    t.match(conversation.check('x'.repeat(301)), [/301.*300/])
    t.match(conversation.check(`${family.repeat(119)}${'x'.repeat(26)}`), [/3001.*3000/])
  })

  t.test(`a session that has run out is renewed, for reading and for writing, ${where}`, async (t) => {
    const given = await scene(t, audience)
    const comment = await oneComment(audience, given)
    const { author, credentials, proxy } = given
    const spoil = async (names: readonly string[]): Promise<void> => {
      const spoilt = (kept: Readonly<Record<string, string>>) =>
        Object.fromEntries(names.map((name) => [name, `${kept[name]?.slice(0, -8)}AAAAAAAA`]))
      await credentials.renew(await credentials.read(), async (kept) => ({ ...kept, ...spoilt(kept) }))
    }
    await spoil(['accessJwt'])
    const calls = proxy.calls.length
    t.equal((await fetched(author)).length, 1)
    t.same(proxy.calls.slice(calls), [LIST, REFRESH, LIST, OWN, OWN])
    await spoil(['accessJwt'])
    await conversation.reply(replyJobOf(given.account, comment), given.io)
    t.equal((await repliesOf(given)).length, 1)

    await spoil(['accessJwt', 'refreshJwt'])
    await given.owner.revokeAppPassword()
    t.match(await platformError(fetched(author)), { kind: 'needs-reauth' })
    t.match(await platformError(conversation.reply(replyJobOf(given.account, comment), given.io)), {
      kind: 'needs-reauth',
    })
    t.equal((await repliesOf(given)).length, 1)
  })

  t.test(`what is answered has the form that the lexicons prescribe, ${where}`, async (t) => {
    const given = await scene(t, audience)
    const comment = await oneComment(audience, given)
    await audience.mentions(given.author, 'Hello')
    const { accessJwt } = await given.credentials.read()
    const ask = async (nsid: string, query: Record<string, string>) => {
      const url = `${given.server.url}/xrpc/${nsid}?${new URLSearchParams(query)}`
      const response = await http.request(url, { headers: { authorization: `Bearer ${accessJwt}` } })
      return { status: response.status, body: response.json() }
    }
    for (const [nsid, query] of [
      [LIST, { limit: '1' }],
      [THREAD, { uri: comment.id, depth: '0', parentHeight: '0' }],
    ] as const) {
      const { status, body } = await ask(nsid, query)
      t.equal(status, 200)
      t.doesNotThrow(() => lexicons.assertValidXrpcOutput(nsid, jsonToLex(body as Record<string, unknown>)), nsid)
    }
    const wrong = await ask(LIST, { limit: '101' })
    t.match(wrong, { status: 400, body: { error: 'InvalidRequest' } })
    const absent = `at://${fan.did}/${COLLECTION}/3kabcabcabc22`
    const none = await ask(THREAD, { uri: absent, depth: '0', parentHeight: '0' })
    t.match(none, { status: 400, body: { error: 'NotFound' } })
  })
}

/** An answer, and what it means to a look and to a reply. */
const ANSWERS: readonly (readonly [Interception, look: PlatformErrorKind, reply: PlatformErrorKind])[] = [
  [answer(401, 'AuthenticationRequired'), 'needs-reauth', 'needs-reauth'],
  [answer(401, 'BadJwtSignature'), 'retryable', 'retryable'],
  [answer(401, 'JwtExpired'), 'retryable', 'retryable'],
  [answer(401, 'AccountTakedown'), 'permanent', 'permanent'],
  [answer(403, 'AccountNotFound'), 'permanent', 'permanent'],
  [answer(400, 'InvalidRequest'), 'permanent', 'permanent'],
  [answer(429, 'RateLimitExceeded'), 'retryable', 'retryable'],
  [answer(408, 'RequestTimeout'), 'retryable', 'ambiguous'],
  [answer(500, 'InternalServerError'), 'retryable', 'ambiguous'],
  [answer(502, 'UpstreamFailure'), 'retryable', 'ambiguous'],
  [answer(503, 'NotEnoughResources'), 'retryable', 'ambiguous'],
  [{ kind: 'answer', status: 502, body: '<html>Bad gateway</html>' }, 'retryable', 'ambiguous'],
  [{ kind: 'answer', status: 200, body: '{"ok":' }, 'retryable', 'ambiguous'],
  [{ kind: 'answer', status: 200, body: '{"ok":true}' }, 'retryable', 'ambiguous'],
  [{ kind: 'lose-answer' }, 'retryable', 'ambiguous'],
  [{ kind: 'cut' }, 'retryable', 'ambiguous'],
]

t.test('every response of the server is classified, for fetches and replies', async (t) => {
  const given = await scene(t, onSandbox)
  const job = replyJobOf(given.account, await oneComment(onSandbox, given))
  for (const [interception, look, reply] of ANSWERS) {
    const what = interception.kind === 'answer' ? `${interception.status} ${interception.body}` : interception.kind
    for (const call of [LIST, OWN]) {
      // A broken connection has the page read in smaller ones, twice.
      const times = call === LIST && interception.kind !== 'answer' ? 3 : 1
      for (let time = 0; time < times; time++) given.proxy.next(call, interception)
      t.equal((await platformError(fetched(given.author))).kind, look, `${call}: ${what}`)
    }
    given.proxy.next(PUT, interception)
    t.equal((await platformError(conversation.reply(job, given.io))).kind, reply, `put: ${what}`)
  }
  t.equal((await repliesOf(given)).length, 1, 'only one of them was passed on')
})

t.test('the end of a rate limit is when to look again, for the whole account', async (t) => {
  const given = await scene(t, onSandbox)
  const job = replyJobOf(given.account, await oneComment(onSandbox, given))
  const now = Date.now()
  const io = { ...given.io, clock: { ...systemClock, now: () => now } }
  const limited = answer(429, 'RateLimitExceeded', { 'ratelimit-reset': String(Math.ceil(now / 1_000) + 90) })
  given.proxy.next(LIST, limited)
  given.proxy.next(PUT, limited)
  for (const work of [fetched({ ...given.author, io }), conversation.reply(job, io)]) {
    const { kind, retryAfterMs = 0, accountRests } = await platformError(work)
    t.same([kind, accountRests], ['retryable', true])
    t.ok(retryAfterMs >= 90_000 && retryAfterMs < 91_000)
  }
})

t.test('what the sandbox is scripted to do to a reply reaches the connector as the real thing would', async (t) => {
  const given = await scene(t, onSandbox)
  const comment = await oneComment(onSandbox, given)
  const fault = { platform: 'bluesky', call: 'reply', accountId: given.owner.did, times: 1 } as const
  const rest = { delayMs: 20, retryAfterSeconds: 30, accepted: false }
  const faults: readonly (readonly [object, PlatformErrorKind | 'sent', replies: number])[] = [
    [{ kind: 'reject' }, 'permanent', 0],
    [{ kind: 'rate_limit' }, 'retryable', 0],
    [{ kind: 'server_error' }, 'ambiguous', 0],
    [{ kind: 'server_error', accepted: true }, 'ambiguous', 1],
    [{ kind: 'accept_then_timeout' }, 'ambiguous', 1],
    [{ kind: 'slow' }, 'sent', 1],
    [{ kind: 'token_expired' }, 'sent', 1],
  ]
  for (const [more, outcome, replies] of faults) {
    const what = JSON.stringify(more)
    const before = (await repliesOf(given)).length
    const count = async (): Promise<number> => (await repliesOf(given)).length - before
    const job = replyJobOf(given.account, comment)
    sandbox.faults.script({ ...fault, ...rest, kind: 'reject', ...more })
    const sending = conversation.reply(job, given.io)
    if (outcome === 'sent') await sending
    else t.equal((await platformError(sending)).kind, outcome, what)
    t.equal(await count(), replies, `${replies} live after ${what}`)
    await conversation.reply(job, given.io)
    t.equal(await count(), 1, `and one after the repeat of ${what}`)
  }
  t.same(sandbox.faults.pending(), [])
})

t.test('a reply shows among the comments of the sandbox and not among its posts', async (t) => {
  const given = await scene(t, onSandbox)
  const { did } = given.owner
  const comment = await oneComment(onSandbox, given)
  const mention = await onSandbox.mentions(given.author, 'Hello')
  const underPost = await conversation.reply(replyJobOf(given.account, comment), given.io)
  const elsewhere = await conversation.reply(replyJobOf(given.account, await only(given, mention)), given.io)

  const control = async (path: string): Promise<unknown> =>
    (await http.request(`${sandbox.url}/_control/${path}?platform=bluesky&accountId=${did}`)).json()
  t.match(await control('posts'), [{ id: given.post.uri, firstComment: undefined }])
  t.equal(z.array(z.unknown()).parse(await control('posts')).length, 1)
  const shown = z.array(z.record(z.string(), z.unknown())).parse(await control('comments'))
  const ours = { writtenBy: 'account', text: 'Thank you' }
  t.match(shown, [
    { id: comment.id, postId: given.post.uri, writtenBy: 'fan', author: 'Fan of All' },
    { id: mention, writtenBy: 'fan' },
    { ...ours, id: underPost.replyId, postId: given.post.uri, inReplyTo: comment.id },
    { ...ours, id: elsewhere.replyId, inReplyTo: mention },
  ])
  t.same([shown[1]?.['postId'], shown[3]?.['postId'], shown.length], [undefined, undefined, 4])
})

t.test('given a reply in the sandbox, when its owner replaces and deletes it, then it is gone', async (t) => {
  const given = await scene(t, onSandbox)
  const job = replyJobOf(given.account, await oneComment(onSandbox, given))
  const { replyId } = await conversation.reply(job, given.io)
  const { accessJwt } = await given.credentials.read()
  const target = { repo: given.owner.did, collection: COLLECTION, rkey: replyId.slice(-13) }
  const record = { ...(await repliesOf(given))[0]?.value, text: 'Else' }
  for (const [nsid, body, left] of [
    ['com.atproto.repo.putRecord', { ...target, record }, [{ uri: replyId, value: { text: 'Else' } }]],
    ['com.atproto.repo.deleteRecord', target, []],
  ] as const) {
    const response = await http.request(`${given.server.url}/xrpc/${nsid}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessJwt}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    t.equal(response.status, 200)
    t.match(await repliesOf(given), left)
  }
})

t.test('all pages of the sandbox are read, each comment once, also of one millisecond', async (t) => {
  const now = Date.now()
  const still = await givenSandbox(t, { clock: { ...systemClock, now: () => now } })
  const audience = sandboxAudience(still, http, 'Fan')
  const { author, post, proxy } = await scene(t, audience)
  const written = new Set<string>()
  for (let index = 0; index < 230; index++) written.add(await audience.answers(author, post, `Comment ${index}`))
  const before = proxy.calls.length
  const found = await fetched(author)
  t.equal(found.length, 230)
  t.same(new Set(found.map(({ id }) => id)), written)
  t.same(proxy.calls.slice(before), [LIST, OWN, OWN, LIST, LIST])
})

t.test('a wrong cursor or depth is refused by the sandbox', async (t) => {
  const { server, credentials, post } = await scene(t, onSandbox)
  const { accessJwt } = await credentials.read()
  const headers = { authorization: `Bearer ${accessJwt}` }
  for (const wrong of [
    `${LIST}?cursor=nonsense`,
    `${LIST}?limit=0`,
    `${THREAD}?uri=${post.uri}&depth=1001`,
    `${THREAD}?uri=nonsense&depth=0&parentHeight=0`,
    `${THREAD}?depth=0&parentHeight=0`,
  ]) {
    const response = await http.request(`${server.url}/xrpc/${wrong}`, { headers })
    t.match([response.status, response.json()], [400, { error: 'InvalidRequest' }], wrong)
  }
  const anonymous = await http.request(`${server.url}/xrpc/${LIST}`)
  t.match([anonymous.status, anonymous.json()], [401, { error: 'AuthMissing' }])
})

t.test('whatever stands under a post of the account is a comment, and all else a mention', async (t) => {
  const given = await scene(t, onReference)
  const { author, post } = given
  const first = referenceOf(await oneComment(onReference, given))
  const under = (root: object, parent: object) => ({ reply: { root, parent } })
  const deep = await fan.writes({ text: 'Deep', ...under(post, first) }, author, 'reply', post.uri)
  const deeper = await fan.writes({ text: 'Deeper', ...under(post, deep) }, author, 'reply', post.uri)
  const named = await fan.writes({ text: 'You!', ...under(post, deeper) }, author, 'mention')
  const embed = { $type: 'app.bsky.embed.record', record: post }
  const quote = await fan.writes({ text: 'Look', embed }, author, 'quote', post.uri)
  const foreign = await fan.writes({ text: 'My thread' }, author, 'like')
  const namedThere = await fan.writes({ text: '@you', ...under(foreign, foreign) }, author, 'mention')
  const quotedThere = await fan.writes({ text: 'This', embed, ...under(foreign, foreign) }, author, 'quote', post.uri)
  const ours = await writePost(http, author, { text: 'Ours', ...under(foreign, foreign) })
  const answer = await fan.writes({ text: 'To you', ...under(foreign, ours) }, author, 'reply', ours.uri)
  const namedToo = await fan.writes({ text: '@you', ...under(foreign, ours) }, author, 'mention')
  const further = await fan.writes({ text: 'And on', ...under(foreign, answer) }, author, 'reply', ours.uri)

  const found = new Map((await fetched(author)).map((one) => [one.id, one]))
  const expected: readonly (readonly [Reference, root: Reference, postId: string | undefined])[] = [
    [first, post, post.uri],
    [deep, post, post.uri],
    [deeper, post, post.uri],
    [named, post, post.uri],
    [quote, quote, undefined],
    [namedThere, foreign, undefined],
    [quotedThere, foreign, undefined],
    [answer, foreign, ours.uri],
    [namedToo, foreign, ours.uri],
    [further, foreign, ours.uri],
  ]
  t.equal(found.size, expected.length, 'a like is none')
  for (const [comment, root, postId] of expected) {
    const one = found.get(comment.uri)
    t.same([one?.kind, one?.postId], [postId === undefined ? 'mention' : 'comment', postId], comment.uri)
    t.same(one?.references, { rootUri: root.uri, rootCid: root.cid, commentCid: comment.cid }, comment.uri)
  }

  const job = replyJobOf(given.account, await only(given, deeper.uri))
  await conversation.reply(job, given.io)
  const reply = (await repliesOf(given)).find(({ value }) => value['text'] === job.text)
  t.match(reply?.value, { reply: { root: post, parent: deeper } })
  const replied = (await fetched(author)).filter((one) => one.replied).map(({ id }) => id)
  t.same(replied, [deeper.uri])
})

t.test("the account's own comments are left out, however they arrive", async (t) => {
  const given = await scene(t, onReference)
  const { did, handle } = given.owner
  const note = await writePost(http, given.author, { text: 'Me', reply: { root: given.post, parent: given.post } })
  appView.tell(did, { ...note, author: { did, handle }, reason: 'reply', reasonSubject: given.post.uri })
  t.same(await fetched(given.author), [])
})

t.test('a comment that was deleted is not fetched, one under a deleted post is', async (t) => {
  const given = await scene(t, onReference)
  const { author, post } = given
  const gone = await onReference.answers(author, post, 'Oh no')
  const kept = await onReference.answers(author, post, 'Fine')
  await fan.deletes(gone)
  const { accessJwt } = await given.credentials.read()
  const target = { repo: given.owner.did, collection: COLLECTION, rkey: post.uri.slice(-13) }
  await http.request(`${pds.url}/xrpc/com.atproto.repo.deleteRecord`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessJwt}`, 'content-type': 'application/json' },
    body: JSON.stringify(target),
  })
  t.match(await fetched(author), [{ id: kept, kind: 'comment', postId: post.uri }])
})

const STRANGER = { did: 'did:plc:aaaaaaaaaaaaaaaaaaaaaaaa', handle: 'stranger.test', displayName: 'Stranger' }
const CID = 'bafyreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'

/** Tells the account of comments that stand nowhere. */
function tell({ owner }: Scene, index: number, more: object = {}): string {
  const uri = `at://${STRANGER.did}/${COLLECTION}/3kabcabca${String(index).padStart(4, '2').replaceAll(/[01]/g, 'z')}-${index}`
  const record = { $type: COLLECTION, text: `Comment ${index}`, createdAt: LONG_AGO }
  appView.tell(owner.did, { uri, cid: CID, author: STRANGER, reason: 'mention', record, ...more })
  return uri
}

t.test('all pages are read until one ends before the time asked for', async (t) => {
  const given = await scene(t, onReference)
  const start = Date.parse('2026-11-01T00:00:00Z')
  const timeOf = (index: number): string => new Date(start + index * 60_000).toISOString()
  for (let index = 0; index < 450; index++) tell(given, index, { indexedAt: timeOf(index) })
  for (const [first, pages] of [
    [449, 1],
    [351, 1],
    [350, 2],
    [249, 3],
    [0, 5],
  ] as const) {
    const calls = given.proxy.calls.length
    const found = await fetched(given.author, timeOf(first))
    t.equal(found.length, 450 - first)
    t.equal(new Set(found.map(({ id }) => id)).size, found.length)
    t.equal(given.proxy.calls.slice(calls).filter((call) => call === LIST).length, pages, `from ${first} on`)
  }
})

t.test('a page on which all was deleted is not taken for the last', async (t) => {
  const given = await scene(t, onReference)
  const older = tell(given, 1, { indexedAt: '2026-11-01T00:00:00.000Z' })
  for (let index = 0; index < 100; index++) {
    const uri = `at://${fan.did}/${COLLECTION}/3kabcabcabc${index}`
    appView.tell(given.owner.did, { uri, cid: CID, author: STRANGER, reason: 'reply' })
  }
  t.match(await fetched(given.author), [{ id: older }])
})

t.test('one comment of an odd shape does not stop the rest', async (t) => {
  const given = await scene(t, onReference)
  const record = { $type: COLLECTION, text: 'Odd', createdAt: LONG_AGO }
  const odd: readonly object[] = [
    { record: {} },
    { record: 'text' },
    { record: { ...record, text: 5 } },
    { record: { ...record, reply: {} } },
    { record: { ...record, reply: { root: { uri: 'at://x' }, parent: 7 } } },
    { author: { handle: 'nobody' } },
    { author: { ...STRANGER, did: 'nobody' } },
    { cid: 7 },
    { uri: '' },
    { indexedAt: 'yesterday' },
    { reason: 'follow' },
  ]
  for (const [index, more] of odd.entries()) tell(given, index, more)
  const nameless = tell(given, 50, { author: { ...STRANGER, displayName: ' ' } })
  const unnamed = tell(given, 51, { author: { did: STRANGER.did, handle: 'stranger.test' } })
  const huge = tell(given, 52, { record: { ...record, text: 'x'.repeat(100_000) } })
  const silent = tell(given, 53, { record: { ...record, text: '' } })
  const found = new Map((await fetched(given.author)).map((one) => [one.id, one]))
  t.same(new Set(found.keys()), new Set([nameless, unnamed, huge, silent]))
  t.equal(found.get(nameless)?.author, 'stranger.test')
  t.equal(found.get(unnamed)?.author, 'stranger.test')
  t.equal(found.get(huge)?.text.length, 100_000)
  t.equal(found.get(silent)?.text, '')
})

t.test('whatever a server sends as notifications, reading them ends or fails cleanly', async (t) => {
  const given = await scene(t, onSandbox)
  const saying = (body: unknown): Interception => ({ kind: 'answer', status: 200, body: JSON.stringify(body) })
  const notifications = fc.array(fc.jsonValue())
  const anything = fc.oneof(fc.jsonValue(), fc.record({ notifications, cursor: fc.jsonValue() }))
  const told = fc.asyncProperty(anything, async (body) => {
    given.proxy.next(LIST, saying(body))
    given.proxy.next(LIST, saying({ notifications: [] }))
    const calls = given.proxy.calls.length
    const outcome = await fetched(given.author).then(
      (found) => found.length,
      (error: unknown) => error instanceof PlatformError && error.kind,
    )
    if (given.proxy.calls.length === calls + 1) await fetched(given.author)
    return outcome === 0 || outcome === 'retryable'
  })
  await t.resolves(fc.assert(told, { numRuns: 60, endOnFailure: true }))

  const stuck = saying({ notifications: [], cursor: 'again' })
  for (const _ of [1, 2]) given.proxy.next(LIST, stuck)
  const calls = given.proxy.calls.length
  t.same(await fetched(given.author), [])
  t.same(given.proxy.calls.slice(calls), [LIST, LIST], 'a cursor that comes again leads nowhere')
})

for (const [bytes, what, calls] of [
  [710_000, 'for us', 3],
  [900_000, 'for the server between', 10],
] as const) {
  t.test(`pages that are too large ${what} are read in smaller ones`, async (t) => {
    const given = await scene(t, onReference)
    const record = { $type: COLLECTION, text: 'Large', createdAt: LONG_AGO, padding: 'x'.repeat(bytes) }
    for (let index = 0; index < 12; index++) tell(given, index, { record })
    const before = appView.calls.length
    const direct = { ...given.author, account: { ...given.account, baseUrl: pds.url } }
    t.equal((await fetched(direct)).length, 12)
    t.equal(appView.calls.length - before, calls)
  })
}

for (const [as, message] of [
  ['blocked', /has blocked the other/],
  ['replies-off', /does not allow replies from this account/],
  ['deleted', /no longer on Bluesky/],
] as const) {
  t.test(`nothing is written where no one would see it (${as}), and earlier replies are recognized`, async (t) => {
    const given = await scene(t, onReference)
    const comment = await oneComment(onReference, given)
    const job = replyJobOf(given.account, comment)
    given.proxy.next(PUT, { kind: 'lose-answer' })
    t.match(await platformError(conversation.reply(job, given.io)), { kind: 'ambiguous' })
    if (as === 'deleted') await fan.deletes(comment.id)
    else appView.show(comment.id, as)

    const other: ReplyJob = { ...job, key: randomUUID() }
    t.match(await platformError(conversation.reply(other, given.io)), { kind: 'permanent', message })
    const sent = await conversation.reply(job, given.io)
    t.match(await repliesOf(given), [{ uri: sent.replyId }])
    t.equal((await repliesOf(given)).length, 1)

    given.proxy.next('getRecord', answer(500, 'InternalServerError'))
    t.match(await platformError(conversation.reply(job, given.io)), { kind: 'ambiguous' })
  })
}

t.test('without the app no comments are fetched for now, but a reply is sent', async (t) => {
  const alone = await startPds({ appView: { url: `http://127.0.0.1:${await closedPort()}`, did: appView.did } })
  t.teardown(() => alone.close())
  const given = await scene(t, referenceAudience(alone, fan, 'Fan'))
  t.match(await platformError(fetched(given.author)), { kind: 'retryable', message: /unreachable/ })
  const references = { rootUri: given.post.uri, rootCid: given.post.cid, commentCid: CID }
  const commentId = `at://${fan.did}/${COLLECTION}/3kabcabcabc22`
  const comment = { id: commentId, references } as FetchedComment
  await conversation.reply(replyJobOf(given.account, comment), given.io)
  t.match(await repliesOf(given), [{ value: { reply: { parent: { uri: commentId } } } }])
})

t.test('work whose time is up ends at once', async (t) => {
  const given = await scene(t, onSandbox)
  const job = replyJobOf(given.account, await oneComment(onSandbox, given))
  const io = { ...given.io, signal: AbortSignal.abort() }
  t.match(await platformError(fetched({ ...given.author, io })), { kind: 'retryable' })
  t.match(await platformError(conversation.reply(job, io)), { kind: 'retryable' })
  t.same(await repliesOf(given), [])
})
