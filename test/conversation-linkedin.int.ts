import t, { type Test } from 'tap'
import { linkedin } from '../platforms/linkedin/index.ts'
import type { ReplyJob } from '../platforms/kit/conversation.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import {
  answer,
  answers,
  fan,
  fetched,
  givenPost,
  givenScene,
  grantNews,
  MEMBER,
  onLinkedIn,
  refusal,
  replyTo,
  script,
  type Scene,
} from './support/linkedin.ts'
import { ioOf, postJson } from './support/sandbox.ts'

const { conversation } = linkedin
if (!conversation) throw new Error('LinkedIn has a conversation')
const { reply, check } = conversation

const MINUTE = 60_000
const NEWS = 'organizationalEntityNotifications'
const activityIn = (urn: string): string => /urn:li:activity:\d+/.exec(urn)?.[0] ?? ''
const find = (job: ReplyJob, { io }: Scene) => conversation.find?.(job, io)
const later = (scene: Scene, ms: number) => scene.clock.advanceTo(scene.clock.now() + ms)
const ids = (comments: readonly { id: string }[]): string[] => comments.map(({ id }) => id).sort()
const callsSince = ({ proxy }: Scene, from: number): readonly string[] => proxy.calls.slice(from)

for (const way of ['told of its news', 'that may only read its posts']) {
  const hasNews = way === 'told of its news'
  const givenPage = async (t: Test): Promise<Scene> => {
    const scene = await givenScene(t)
    if (hasNews) grantNews(scene)
    return scene
  }

  t.test(`given a page ${way}`, async (t) => {
    t.test('then comments and the replies of others are fetched as they are, and its own are not', async (t) => {
      const scene = await givenPage(t)
      const postId = await givenPost(scene)
      const quiet = await givenPost(scene)
      const createdAt = isoTime(scene.clock.now())
      const plain = await fan(scene, 'Fine *work* <3', postId)
      const answered = await fan(scene, 'Where?', postId)
      await reply(replyTo(scene, answered, activityIn(answered)), scene.io)
      const thread = await fan(scene, 'When?', postId)
      await later(scene, MINUTE)
      const before = onLinkedIn(scene, thread, 'Me too')
      await later(scene, MINUTE)
      onLinkedIn(scene, thread, 'Soon', 'account')
      await later(scene, MINUTE)
      const after = onLinkedIn(scene, thread, 'How soon?')

      const all = await fetched(scene)
      t.same(ids(all), [plain, answered, thread, before, after].sort())
      const byId = new Map(all.map((comment) => [comment.id, comment]))
      t.match(byId.get(plain), {
        kind: 'comment',
        postId,
        author: 'LinkedIn member',
        authorId: /^urn:li:person:/,
        text: 'Fine *work* <3',
        createdAt,
        replied: false,
        references: { postUrn: activityIn(plain) },
      })
      t.equal(byId.get(answered)?.replied, true, 'by Fanfare')
      t.equal(byId.get(thread)?.replied, true, 'by hand')
      t.equal(byId.get(before)?.replied, true, 'what the page wrote after it in the thread')
      t.equal(byId.get(after)?.replied, false, 'nothing was written after it')
      t.notOk(all.some(({ postId }) => postId === quiet))
    })
    t.test('when there is more than a page of anything, then all of it comes', async (t) => {
      const scene = await givenPage(t)
      const postId = await givenPost(scene)
      const comments: string[] = []
      for (let n = 0; n < 101; n += 1) comments.push(await fan(scene, `${n}`, postId))
      const replies = Array.from({ length: 51 }, (_, n) => onLinkedIn(scene, comments[0] ?? '', `${n}`))
      t.same(ids(await fetched(scene)), [...comments, ...replies].sort())
    })
    t.test('then nothing from before the given time comes, but what is new in an old thread', async (t) => {
      const scene = await givenPage(t)
      const postId = await givenPost(scene)
      const old = await fan(scene, 'old', postId)
      onLinkedIn(scene, old, 'old reply')
      await later(scene, 1)
      const since = scene.clock.now()
      const fresh = await fan(scene, 'just then', postId)
      await later(scene, MINUTE)
      const deep = onLinkedIn(scene, old, 'new in the old thread')
      t.same(ids(await fetched(scene, since)), [fresh, deep].sort())
      t.same(await fetched(scene, scene.clock.now() + 1), [])
    })
    t.test('when a post is gone, then the others are fetched all the same', async (t) => {
      const scene = await givenPage(t)
      const [gone, there] = [await givenPost(scene), await givenPost(scene)]
      await fan(scene, 'lost', gone)
      const kept = await fan(scene, 'kept', there)
      if (hasNews) scene.sandbox.ledger.removePost('linkedin', gone)
      else scene.proxy.next(`${encodeURIComponent(gone)}/comments`, answer(404, { message: 'gone' }))
      t.same(ids(await fetched(scene)), [kept])
    })
    t.test('when it fails, then the error says why', async (t) => {
      const scene = await givenPage(t)
      const postId = await givenPost(scene)
      await fan(scene, 'Hello', postId)
      for (const path of [hasNews ? NEWS : '/rest/posts', '/comments']) {
        for (const [status, expected] of [
          [429, { kind: 'retryable', retryAfterMs: 77_000, accountRests: true }],
          [500, { kind: 'retryable', accountRests: false }],
          [200, { kind: 'retryable', message: /could not be read/ }],
          [426, { kind: 'permanent', message: /Update Fanfare/ }],
        ] as const) {
          scene.proxy.next(path, answer(status, {}, { 'retry-after': '77' }))
          t.match(await refusal(fetched(scene)), expected, `${status} to ${path}`)
        }
      }
      scene.proxy.next('/comments', answer(403, { message: 'Not enough permissions' }))
      t.match(await refusal(fetched(scene)), { kind: 'forbidden', message: /permission/ })
      scene.proxy.next(NEWS, answer(403))
      scene.proxy.next('/rest/posts', answer(403))
      t.match(await refusal(fetched(scene)), { kind: 'forbidden' }, 'the role on the page was lost')

      const { accessToken: _, ...others } = await scene.store.read()
      const stale = { ...scene, io: ioOf(scene.http, { ...others, accessToken: 'void' }, { clock: scene.clock }) }
      t.equal((await fetched(stale)).length, 1, 'a void token is renewed')
      const dead = ioOf(scene.http, { accessToken: 'void' }, { clock: scene.clock })
      t.match(await refusal(fetched({ ...scene, io: dead })), { kind: 'needs-reauth' })
    })
  })
}

t.test('given quotas, then as few requests as possible are sent', async (t) => {
  const scene = await givenScene(t)
  const posts = [await givenPost(scene), await givenPost(scene), await givenPost(scene)] as const
  const threads: string[] = []
  for (let n = 0; n < 5; n += 1) {
    const thread = await fan(scene, `thread ${n}`, posts[1])
    onLinkedIn(scene, thread, 'old reply')
    threads.push(thread)
  }
  await later(scene, MINUTE)
  const since = scene.clock.now()
  const asked = async (): Promise<readonly string[]> => {
    const from = scene.proxy.calls.length
    await fetched(scene, since)
    return callsSince(scene, from)
  }
  const five = Array<string>(5).fill('comments')
  t.same(await asked(), [NEWS, 'posts', 'socialMetadata', 'comments', ...five], 'one post has comments, five threads')

  grantNews(scene)
  t.same(await asked(), [NEWS], 'nothing is new')
  await fan(scene, 'new', posts[0])
  t.same(await asked(), [NEWS, 'comments'], 'one post has something new')
  onLinkedIn(scene, threads[4] ?? '', 'by the page', 'account')
  t.same(await asked(), [NEWS, 'comments'], 'what the page writes is no news')
  await fan(scene, 'new', posts[1])
  t.same(await asked(), [NEWS, 'comments', 'comments'], 'old threads with nothing new are not looked into')
  onLinkedIn(scene, threads[0] ?? '', 'new')
  t.same(await asked(), [NEWS, ...five.slice(0, 3)], 'looked into until what is new was met')
  t.same(ids(await fetched(scene, since)).length, 3)
  t.ok(conversation.leastIntervalMs >= 10 * MINUTE)

  t.same(await fetched(await givenScene(t)), [], 'a page without posts has no comments')
})

t.test("given someone else's post that mentions the page", async (t) => {
  const scene = await givenScene(t)
  const mention = await fan(scene, 'Look at them')
  t.same(await fetched(scene), [], 'a token without the scope does not see it')
  grantNews(scene)
  const [found, ...others] = await fetched(scene)
  t.same(others, [])
  t.match(found, {
    id: mention,
    kind: 'mention',
    author: 'LinkedIn member',
    authorId: /^urn:li:person:/,
    text: 'Look at them',
    references: { postUrn: mention },
  })
  t.equal(found?.postId, undefined)
  t.equal(found?.replied, undefined, 'unknown')

  const job = replyTo(scene, mention, mention)
  const { replyId, url } = await reply(job, scene.io)
  t.match(answers(scene), [{ id: replyId, inReplyTo: mention, text: 'Thank you' }])
  t.equal(new URL(url ?? '').searchParams.get('commentUrn'), replyId)
  t.same(await find(job, scene), { outcome: 'unknown' }, 'a page may not read under the posts of others')
  t.same(ids(await fetched(scene)), [mention], 'the answer is no comment of another')
})

t.test('given what is of an odd shape, then the rest comes', async (t) => {
  const scene = await givenScene(t)
  grantNews(scene)
  const postId = await givenPost(scene)
  const urn = await fan(scene, 'Hello', postId)
  const activity = activityIn(urn)
  const short = urn.replace('urn:li:activity', 'activity')
  const time = scene.clock.now()
  const page = scene.account.externalId
  const told = (more: object) => ({ action: 'COMMENT', sourcePost: activity, lastModifiedAt: time, ...more })
  for (const [elements, expected] of [
    [['what', {}, { action: 'COMMENT' }, told({ generatedActivity: short })], [{ id: urn, postId: undefined }]],
    [[told({ generatedActivity: short, decoratedSourcePost: { entity: postId } })], [{ id: urn, postId }]],
    [
      [told({ generatedActivity: short, decoratedSourcePost: { entity: postId } }), told({ generatedActivity: short })],
      [{ id: urn, postId }],
    ],
    [[told({ decoratedGeneratedActivity: { comment: { entity: urn, owner: page } } })], []],
    [[told({ generatedActivity: 'urn:li:odd:1', decoratedGeneratedActivity: 7 })], [{ id: urn }]],
    [[told({ sourcePost: undefined, generatedActivity: short })], []],
    [[told({ action: 'LIKE' })], []],
    [[told({ action: 'SHARE_MENTION', sourcePost: 'urn:li:odd:1' })], []],
    [[told({ action: 'SHARE_MENTION', decoratedGeneratedActivity: { share: { owner: page } } })], []],
    [
      [told({ action: 'SHARE_MENTION', generatedActivity: 'urn:li:ugcPost:7' })],
      [{ id: 'urn:li:ugcPost:7', text: '', author: 'LinkedIn member', authorId: undefined }],
    ],
  ] as const) {
    scene.proxy.next(NEWS, answer(200, { elements }))
    const all = await fetched(scene)
    t.equal(all.length, expected.length, JSON.stringify(elements))
    t.match(all, expected)
  }

  const fine = { $URN: short, actor: 'urn:li:person:x', message: { text: 'a' }, created: { time } }
  const comment = (more: object) => ({ ...fine, ...more })
  for (const [element, expected] of [
    [fine, { id: urn, text: 'a', references: { postUrn: postId }, replied: false }],
    [comment({ message: null }), { id: urn, text: '' }],
    [comment({ message: { text: 7 } }), { id: urn, text: '' }],
    [comment({ actor: 7 }), { author: 'LinkedIn member', authorId: undefined }],
    [comment({ actor: 'urn:li:organization:7' }), { author: 'LinkedIn page 7', authorId: 'urn:li:organization:7' }],
    [comment({ $URN: undefined, object: activity, id: '123' }), { id: `urn:li:comment:(${activity},123)` }],
    [comment({ commentsSummary: 'many' }), { replied: false }],
    [comment({ $URN: 'urn:li:comment:x' }), undefined],
    [comment({ created: { time: 1e300 } }), undefined],
    [comment({ created: 'today' }), undefined],
    [comment({ parentComment: urn }), undefined],
    ['what', undefined],
  ] as const) {
    const other = comment({ $URN: `urn:li:comment:(${activity},7)` })
    scene.proxy.next('/comments', answer(200, { elements: [element, other] }))
    const [first, second, ...more] = await fetched(scene)
    t.same(more, [])
    t.match(expected ? first : [first, second], expected ?? [{ id: other.$URN }, undefined], JSON.stringify(element))
  }

  const counted = comment({ commentsSummary: { totalFirstLevelComments: 2 } })
  for (const interception of [answer(404), answer(400), answer(200, { elements: [] })]) {
    scene.proxy.next('/comments', answer(200, { elements: [counted] }))
    scene.proxy.next('/comments', interception)
    const [first] = await fetched(scene)
    t.equal(first?.id, urn)
    t.equal(first?.replied, undefined, 'who has replied is unknown')
  }
})

t.test('given lists whose end is not plain, then they are read to it', async (t) => {
  const scene = await givenScene(t)
  grantNews(scene)
  const urn = await fan(scene, 'Hello', await givenPost(scene))
  const time = scene.clock.now()
  const named = (id: number) => ({ $URN: urn.replace(/,\d+/, `,${id}`), created: { time } })
  const pages = (...answers: readonly object[]) => {
    for (const each of answers) scene.proxy.next('/comments', answer(200, each))
    return fetched(scene)
  }
  const next = { links: [{ rel: 'next' }] }
  t.equal((await pages({ elements: [named(1)], paging: next }, { elements: [named(2)] })).length, 2, 'a short page')
  t.equal((await pages({ elements: [named(1)], paging: { total: 60 } }, { elements: [named(2)] })).length, 2)
  const full = { elements: Array.from({ length: 50 }, (_, n) => named(n)) }
  t.equal((await pages(full, { elements: [named(51)], paging: 'odd' })).length, 51)
  const start = scene.proxy.calls.length
  await pages({ elements: [named(1)], paging: next }, { elements: [], paging: next })
  t.equal(callsSince(scene, start).length, 3, 'nothing comes after an empty page')
  const from = scene.proxy.calls.length
  await pages(...Array<object>(40).fill({ ...full, paging: next }))
  t.equal(callsSince(scene, from).length, 41, 'a list without an end has one here')
})

t.test('given a member', async (t) => {
  const scene = await givenScene(t, MEMBER)
  const postId = await givenPost(scene)
  const urn = await fan(scene, 'Hello', postId)
  const from = scene.proxy.calls.length
  t.same(await fetched(scene), [])
  const job = replyTo(scene, urn, activityIn(urn))
  t.same(await find(job, scene), { outcome: 'unknown' })
  t.same(callsSince(scene, from), [], 'then what may not be read is not asked for')
  const { replyId } = await reply(job, scene.io)
  t.same(callsSince(scene, from), ['comments'])
  t.match(answers(scene), [{ id: replyId, inReplyTo: urn, text: 'Thank you' }], 'and is answered all the same')
})

t.test('given a reply to send', async (t) => {
  t.test('then it goes under the comment, whichever of its names it is given by', async (t) => {
    const scene = await givenScene(t)
    const postId = await givenPost(scene)
    const urn = await fan(scene, 'Hello', postId)
    const text = 'Thanks (a lot)! *_~ #fun @you 🌞\nhttps://x.example/a_b'
    for (const [commentId, postUrn] of [
      [urn, activityIn(urn)],
      [urn, postId],
      [urn.replace('urn:li:activity', 'activity'), postId],
    ] as const) {
      const { replyId, url } = await reply(replyTo(scene, commentId, postUrn, text), scene.io)
      t.match(replyId, /^urn:li:comment:\(urn:li:activity:\d+,\d+\)$/)
      t.match(answers(scene).at(-1), { id: replyId, inReplyTo: urn, postId, text })
      t.match(url, `https://www.linkedin.com/feed/update/${activityIn(urn)}/?`)
      const { searchParams } = new URL(url ?? '')
      t.same([searchParams.get('commentUrn'), searchParams.get('replyUrn')], [urn, replyId])
    }
  })
  t.test('when it answers a reply, then it goes under the same comment', async (t) => {
    const scene = await givenScene(t)
    const urn = await fan(scene, 'Hello', await givenPost(scene))
    const deep = onLinkedIn(scene, urn, 'And I')
    const job = replyTo(scene, deep, activityIn(urn))
    const { replyId } = await reply(job, scene.io)
    t.match(answers(scene), [{ id: replyId, inReplyTo: urn }])
    t.match(await find(job, scene), { outcome: 'found', found: { replyId } })
  })
  t.test('when it may not be looked where the comment stands, then it goes under the comment itself', async (t) => {
    const scene = await givenScene(t)
    const urn = await fan(scene, 'Hello', await givenPost(scene))
    for (const status of [403, 404]) {
      scene.proxy.next(`/comments/${/,(\d+)/.exec(urn)?.[1]}`, answer(status))
      await reply(replyTo(scene, urn, activityIn(urn)), scene.io)
      t.match(answers(scene).at(-1), { inReplyTo: urn })
    }
    t.equal(answers(scene).length, 2)
  })
  t.test('when LinkedIn names it in another way, or not at all, then it is sent all the same', async (t) => {
    const scene = await givenScene(t)
    const urn = await fan(scene, 'Hello', await givenPost(scene))
    const named = `urn:li:comment:(${activityIn(urn)},777)`
    const raw = (body: string, headers: Record<string, string> = {}) =>
      ({ kind: 'answer', status: 201, headers, body }) as const
    for (const [interception, replyId] of [
      [raw(JSON.stringify({ commentUrn: named })), named],
      [raw('', { 'x-restli-id': '777' }), named],
      [raw('<html>', { 'x-restli-id': encodeURIComponent(named) }), named],
      [raw('{}', { 'x-restli-id': '%zz' }), urn],
      [raw('[]'), urn],
    ] as const) {
      scene.proxy.next('/comments', interception)
      const sent = await reply(replyTo(scene, urn, activityIn(urn)), scene.io)
      t.equal(sent.replyId, replyId)
      t.equal(sent.url === undefined, replyId === urn)
    }
  })
  t.test('when it names nothing that can be answered, then nothing is called', async (t) => {
    const scene = await givenScene(t)
    const urn = `urn:li:comment:(urn:li:activity:1,2)`
    const from = scene.proxy.calls.length
    t.match(await refusal(reply(replyTo(scene, '123', urn), scene.io)), { kind: 'permanent', message: /commentId/ })
    const unnamed = { ...replyTo(scene, urn, ''), references: {} }
    t.match(await refusal(reply(unnamed, scene.io)), { kind: 'permanent', message: /postUrn/ })
    t.same(callsSince(scene, from), [])
  })
  t.test('when the comment is gone, then it is final', async (t) => {
    const scene = await givenScene(t)
    const postId = await givenPost(scene)
    const urn = await fan(scene, 'Hello', postId)
    const job = replyTo(scene, urn, activityIn(urn))
    scene.sandbox.ledger.removePost('linkedin', postId)
    t.match(await refusal(reply(job, scene.io)), { kind: 'permanent', message: /could not find the requested item/ })
    t.same(await find(job, scene), { outcome: 'unknown' }, 'an answer would be gone with it')
  })
  t.test('then texts are held to the limit, in the sandbox as here', async (t) => {
    t.same(check('x'.repeat(1_250)), [])
    t.same(check('🌞'.repeat(625)), [])
    t.same(check(''), [])
    t.same(check('🌞'.repeat(625) + 'x'), [
      'LinkedIn accepts comments of at most 1250 characters; this one has 1251 (an emoji counts as two or more).',
    ])
    const scene = await givenScene(t)
    const urn = await fan(scene, 'Hello', await givenPost(scene))
    await reply(replyTo(scene, urn, activityIn(urn), 'x'.repeat(1_250)), scene.io)
    const error = await refusal(reply(replyTo(scene, urn, activityIn(urn), 'x'.repeat(1_251)), scene.io))
    t.match(error, { kind: 'permanent', code: 'FIELD_LENGTH_TOO_LONG' })
  })
})

t.test('each error of a reply is recognized', async (t) => {
  const scene = await givenScene(t)
  const { io, proxy, account, clock } = scene
  const urn = await fan(scene, 'Hello', await givenPost(scene))
  const job = replyTo(scene, urn, activityIn(urn))
  for (const [interception, expected] of [
    [answer(400, { code: 'INVALID_VALUE_FOR_FIELD', message: 'no' }), { kind: 'permanent', message: /, no\)\.$/ }],
    [answer(403, { code: 'ACCESS_DENIED' }), { kind: 'forbidden' }],
    [answer(404), { kind: 'permanent' }],
    [answer(422, { message: 'no' }), { kind: 'permanent' }],
    [answer(426), { kind: 'permanent' }],
    [answer(429, {}, { 'retry-after': '7' }), { kind: 'retryable', retryAfterMs: 7_000, accountRests: true }],
    [
      answer(429, { message: 'throttle MEMBER DAY limit' }),
      { kind: 'retryable', retryAfterMs: Date.UTC(2026, 8, 11) - clock.now(), accountRests: true },
    ],
    [answer(302), { kind: 'permanent' }],
    [answer(408), { kind: 'ambiguous' }],
    [answer(500), { kind: 'ambiguous' }],
    [answer(503), { kind: 'ambiguous' }],
    [answer(504), { kind: 'ambiguous' }],
    [
      { kind: 'answer', status: 502, body: '<html>' },
      { kind: 'ambiguous', message: /HTTP 502/ },
    ],
    [{ kind: 'cut' }, { kind: 'ambiguous' }],
  ] as const) {
    proxy.next('/comments', interception)
    const error = await refusal(reply(job, io))
    t.match(error, expected, JSON.stringify(interception))
    for (const secret of Object.values(account.credentials)) t.notOk(error.message.includes(secret))
  }
  for (const [interception, expected] of [
    [answer(500), { kind: 'retryable' }],
    [{ kind: 'answer', status: 200, body: '<html>' }, { kind: 'retryable' }],
    [answer(429), { kind: 'retryable', accountRests: true }],
    [{ kind: 'cut' }, { kind: 'retryable' }],
  ] as const) {
    proxy.next(`/comments/${/,(\d+)/.exec(urn)?.[1]}`, interception)
    t.match(await refusal(reply(job, io)), expected, 'a request without a visible effect may be repeated')
  }
  const away = { ...job, account: { ...job.account, baseUrl: 'http://127.0.0.1:1' } }
  t.match(await refusal(reply(away, io)), { kind: 'retryable' })
  const dead = ioOf(scene.http, { accessToken: 'void' }, { clock })
  t.match(await refusal(reply(job, dead)), { kind: 'needs-reauth' })
  t.same(answers(scene), [])
})

t.test('given a fault of the stand-in, then what went out is found, once, and what did not is absent', async (t) => {
  for (const [fault, expected, count] of [
    [{ kind: 'reject' }, { kind: 'permanent', message: /not allowed/ }, 0],
    [{ kind: 'rate_limit', retryAfterSeconds: 7 }, { kind: 'retryable', retryAfterMs: 7_000, accountRests: true }, 0],
    [{ kind: 'token_expired', times: 4 }, { kind: 'needs-reauth' }, 0],
    [{ kind: 'server_error' }, { kind: 'ambiguous' }, 0],
    [{ kind: 'server_error', accepted: true }, { kind: 'ambiguous' }, 1],
    [{ kind: 'accept_then_timeout' }, { kind: 'ambiguous' }, 1],
  ] as const) {
    const scene = await givenScene(t)
    const urn = await fan(scene, 'Hello', await givenPost(scene))
    const job = replyTo(scene, urn, activityIn(urn))
    script(scene, { call: 'reply', ...fault })
    t.match(await refusal(reply(job, scene.io)), expected, fault.kind)
    t.equal(answers(scene).length, count)
    const [sent] = answers(scene)
    t.match(await find(job, scene), sent ? { outcome: 'found', found: { replyId: sent.id } } : { outcome: 'absent' })
    t.same(scene.sandbox.faults.pending(), [])
  }
  const scene = await givenScene(t)
  const urn = await fan(scene, 'Hello', await givenPost(scene))
  const job = replyTo(scene, urn, activityIn(urn))
  script(scene, { call: 'reply', kind: 'token_expired' })
  await reply(job, scene.io)
  t.equal(answers(scene).length, 1, 'an expired token is renewed on the way')
  scene.proxy.next('/comments', { kind: 'lose-answer' })
  t.match(await refusal(reply({ ...job, text: 'Second' }, scene.io)), { kind: 'ambiguous' })
  t.match(await find({ ...job, text: 'Second' }, scene), { outcome: 'found' })
})

t.test('given a lost answer', async (t) => {
  t.test('then the reply is looked for on every page, among those of others and older ones', async (t) => {
    const scene = await givenScene(t)
    const urn = await fan(scene, 'Hello', await givenPost(scene))
    onLinkedIn(scene, urn, 'Thank you', 'account')
    await later(scene, 11 * MINUTE)
    for (let n = 0; n < 60; n += 1) onLinkedIn(scene, urn, n % 2 ? 'Thank you' : 'Another', n % 2 ? 'fan' : 'account')
    const job = replyTo(scene, urn, activityIn(urn))
    t.same(await find(job, scene), { outcome: 'absent' }, 'a fan may write the same')
    const sent = await reply(job, scene.io)
    t.same(await find(job, scene), { outcome: 'found', found: sent })
  })
  t.test('when the same text is sent twice on purpose, then one is not taken for the other', async (t) => {
    const scene = await givenScene(t)
    const urn = await fan(scene, 'Hello', await givenPost(scene))
    const first = replyTo(scene, urn, activityIn(urn))
    const sent = await reply(first, scene.io)
    t.same(await find(first, scene), { outcome: 'found', found: sent })
    await later(scene, MINUTE)
    const second = replyTo(scene, urn, activityIn(urn))
    t.same(await find(second, scene), { outcome: 'unknown' }, 'of just before: clocks may differ')
    await reply(second, scene.io)
    t.same(await find(second, scene), { outcome: 'unknown' })
    t.same(await find(first, scene), { outcome: 'unknown' }, 'either could be it')
    await later(scene, 20 * MINUTE)
    const third = replyTo(scene, urn, activityIn(urn))
    t.same(await find(third, scene), { outcome: 'absent' }, 'long after them there is no doubt')
    t.match(await find({ ...third, text: 'Other' }, scene), { outcome: 'absent' })
  })
  t.test('then what is in doubt is unknown, never a guess', async (t) => {
    const scene = await givenScene(t)
    const urn = await fan(scene, 'Hello', await givenPost(scene))
    const job = replyTo(scene, urn, activityIn(urn), 'See  https://x.example/a/long/way\r\nand é ')
    const time = scene.clock.now()
    const commentUrn = `urn:li:comment:(${activityIn(urn)},777)`
    const ours = { commentUrn, actor: scene.account.externalId, message: { text: job.text }, created: { time } }
    const says = (text: string) => ({ ...ours, message: { text } })
    const at = (ms: number) => ({ ...ours, created: { time: time + ms } })
    for (const [elements, outcome] of [
      [[ours], 'found'],
      [[ours, ours], 'found'],
      [[ours, 'what'], 'found'],
      [[says('See https://x.example/a/long/way\nand e\u0301')], 'found'],
      [[says('See https://lnkd.in/abc and é')], 'found'],
      [[says('See https://other.example and é')], 'absent'],
      [[says('')], 'absent'],
      [[{ ...ours, actor: 'urn:li:person:x' }], 'absent'],
      [[{ ...ours, actor: undefined }], 'unknown'],
      [[{ ...ours, created: {} }], 'unknown'],
      [['what'], 'unknown'],
      [[ours, { ...ours, commentUrn: commentUrn.replace('777', '778') }], 'unknown'],
      [[at(-5_000)], 'found'],
      [[at(-5_001)], 'unknown'],
      [[at(-10 * MINUTE)], 'unknown'],
      [[at(-10 * MINUTE - 1)], 'absent'],
      [[], 'absent'],
    ] as const) {
      scene.proxy.next('/comments', answer(200, { elements }))
      t.match(await find(job, scene), { outcome }, JSON.stringify(elements))
    }
    for (const status of [400, 403, 404]) {
      scene.proxy.next('/comments', answer(status))
      t.same(await find(job, scene), { outcome: 'unknown' }, `refused: ${status}`)
    }
    for (const status of [200, 429, 500]) {
      scene.proxy.next('/comments', answer(status))
      t.match(await refusal(find(job, scene)), { kind: 'retryable' }, `${status}: to be asked again`)
    }
    const other = { elements: [says('other')], paging: { links: [{ rel: 'next' }] } }
    for (let page = 0; page < 40; page += 1) scene.proxy.next('/comments', answer(200, other))
    t.same(await find(job, scene), { outcome: 'unknown' }, 'too many to look through')
  })
})

t.test('the stand-in refuses what LinkedIn refuses', async (t) => {
  const scene = await givenScene(t)
  const { http, sandbox, account } = scene
  const stranger = await givenScene(t)
  const postId = await givenPost(scene)
  const other = await givenPost(scene)
  const urn = await fan(scene, 'Hello', postId)
  const deep = onLinkedIn(scene, urn, 'And I')
  const mention = await fan(scene, 'Look at them')
  const root = `${sandbox.url}/linkedin/rest`
  const encoded = (text: string) => encodeURIComponent(text).replaceAll('(', '%28').replaceAll(')', '%29')
  const under = (target: string) => `${root}/socialActions/${encoded(target)}/comments`
  const headers = { 'linkedin-version': '202609', 'x-restli-protocol-version': '2.0.0' }
  const own = { ...headers, authorization: `Bearer ${account.credentials['accessToken']}` }

  const news = (more = '') =>
    `${root}/${NEWS}?q=criteria&organizationalEntity=${encoded(account.externalId)}&actions=List(COMMENT)&timeRange=(start:0,end:9000000000000)${more}`
  const counts = (...urns: readonly string[]) => `${root}/socialMetadata?ids=List(${urns.map(encoded).join(',')})`
  const get = async (url: string, more: object = own) => (await http.request(url, { headers: { ...more } })).status
  for (const [url, status] of [
    [under(postId), 200],
    [under(activityIn(urn)), 200],
    [under(urn), 200],
    [under(urn.replace('urn:li:activity', 'activity')), 200],
    [`${under(activityIn(urn))}/${/,(\d+)/.exec(deep)?.[1]}`, 200],
    [`${under(postId)}/1`, 404],
    [`${root}/socialActions/${postId}/comments`, 400],
    [`${root}/socialActions/${encodeURIComponent(urn)}/comments`, 400],
    [`${under(postId)}?sort=new`, 400],
    [`${under(postId)}?count=101`, 400],
    [under('urn:li:share:1'), 404],
    [under('urn:li:person:1'), 404],
    [under(urn.replace(/,\d+/, ',1')), 404],
    [under(mention), 403],
    [counts(postId, other), 200],
    [`${root}/socialMetadata?ids=${encoded(postId)}`, 400],
    [news(), 403],
  ] as const) {
    t.equal(await get(url), status, url)
  }
  t.equal(await get(under(postId), headers), 401)
  grantNews(scene)
  t.equal(await get(news()), 200)
  t.equal(await get(news('&count=500')), 400)
  t.equal(await get(news().replace('COMMENT', 'FOLLOW')), 400)
  t.equal(await get(news().replace(encoded(account.externalId), encoded(stranger.account.externalId))), 403)

  const body = { actor: account.externalId, object: postId, parentComment: urn, message: { text: 'Hi' } }
  const { parentComment: _, ...top } = body
  for (const [target, given, status, code] of [
    [urn, { ...body, actor: stranger.account.externalId }, 403, 'ACCESS_DENIED'],
    [urn, { ...body, mood: 'fine' }, 400, 'UNPERMITTED_FIELD'],
    [urn, { ...body, message: { text: '' } }, 400, 'INVALID_VALUE_FOR_FIELD'],
    [urn, { ...body, message: { text: 'x'.repeat(1_251) } }, 400, 'FIELD_LENGTH_TOO_LONG'],
    [urn, { ...body, object: other }, 400, 'INVALID_URN_ID'],
    [urn, { ...body, object: urn }, 400, 'INVALID_URN_ID'],
    [urn, { ...body, parentComment: deep }, 400, 'INVALID_URN_ID'],
    [deep, { ...body, parentComment: deep }, 400, 'INVALID_URN_ID'],
    [urn, { ...body, parentComment: postId }, 400, 'INVALID_URN_TYPE'],
    [urn, top, 400, 'INVALID_URN_ID'],
    [postId, body, 400, 'INVALID_URN_ID'],
    ['urn:li:share:1', top, 404, 'NOT_FOUND'],
  ] as const) {
    const refused = await postJson(http, under(target), given, own)
    t.match({ status: refused.status, body: refused.json() }, { status, body: { status, code } }, code)
  }
  t.same(answers(scene), [])
  t.equal((await postJson(http, under(deep), body, own)).status, 201, 'a reply is answered in its thread')
  t.match(answers(scene), [{ inReplyTo: urn }])

  const query = `platform=linkedin&accountId=${encodeURIComponent(account.externalId)}`
  const listed = (await http.request(`${sandbox.url}/_control/comments?${query}`)).json()
  t.match(listed, [{ id: urn }, { id: deep }, { id: mention }, { writtenBy: 'account', inReplyTo: urn, text: 'Hi' }])
})
