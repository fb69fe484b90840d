import t from 'tap'
import fc from 'fast-check'
import * as z from 'zod'
import type { FetchedComment } from '../platforms/kit/conversation.ts'
import { conversation } from '../platforms/x/conversation.ts'
import type { LedgerComment } from '../packages/sandbox/ledger.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { ioOf } from './support/sandbox.ts'
import { fault, fetched, givenMention, givenPost, givenX, refusal, replyTo, type Scene } from './support/x.ts'

const POST = 'tweets'
const HOUR_MS = 3_600_000
const problem = (status: number, detail: string, name?: string) =>
  JSON.stringify({
    title: 'A title',
    detail,
    type: name ? `https://api.x.com/2/problems/${name}` : 'about:blank',
    status,
  })
const duplicate = problem(403, 'You are not allowed to create a Tweet with duplicate content.')

const { reply, check } = conversation
const find: NonNullable<typeof conversation.find> = (job, io) =>
  conversation.find?.(job, io) ?? Promise.reject(new Error('no search'))

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).toSorted()
const written = ({ sandbox, account }: Scene) => sandbox.ledger.commentsOf('x', account.externalId)
const replies = (scene: Scene) => written(scene).filter(({ writtenBy }) => writtenBy === 'account')
const shownReplied = (comments: readonly FetchedComment[]) =>
  Object.fromEntries(comments.map(({ id, replied }) => [id, replied]))

let made = 0
/** What nobody can write by the control endpoint: in a thread, by the account itself, in odd words. */
function wrote(scene: Scene, comment: Partial<LedgerComment>): string {
  const id = String(10_000_000_000_000_000n + BigInt((made += 1)))
  const { account, clock } = scene
  scene.sandbox.ledger.addComment({
    id,
    platform: 'x',
    accountId: account.externalId,
    writtenBy: 'fan',
    author: 'Ann',
    text: 'Hello',
    createdAt: isoTime(clock.now()),
    ...comment,
  })
  return id
}
const answered = (scene: Scene, inReplyTo: string, text = 'Thank you!') =>
  wrote(scene, { writtenBy: 'account', inReplyTo, text })

t.test('given people who write to an account', async (t) => {
  const scene = await givenX(t)
  const { clock, proxy } = scene

  await t.test('when there are none, then nothing is fetched and no further request is made', async (t) => {
    t.same(await fetched(scene), [])
    t.same(proxy.calls, ['mentions'])
  })

  const postId = await givenPost(scene)
  const elsewhere = await givenMention(scene, { text: 'Look @you & <them>', author: 'Bob' })
  const under = await givenMention(scene, { text: 'Nice one', postId })

  await t.test('when it is fetched, then each has its author and its post', async (t) => {
    const before = proxy.calls.length
    const comments = await fetched(scene)
    t.same(idsOf(comments), [elsewhere, under].toSorted())
    t.same(
      comments.find(({ id }) => id === under),
      {
        id: under,
        kind: 'mention',
        postId,
        author: 'Ann',
        authorId: comments.find(({ id }) => id === under)?.authorId,
        text: 'Nice one',
        createdAt: scene.sandbox.ledger.comment('x', under)?.createdAt,
        replied: false,
        references: {},
      },
      'without the name of the account, which X puts before it',
    )
    const other = comments.find(({ id }) => id === elsewhere)
    t.match(other, { author: 'Bob', text: 'Look @you & <them>', authorId: /^\d+$/ })
    t.notOk(other && 'postId' in other)
    t.same(proxy.calls.slice(before), ['mentions', POST], 'in two calls')
  })

  await t.test(
    'when the account replies, here or elsewhere, then the comment is marked, and its own is left out',
    async (t) => {
      await reply(replyTo(scene, under), scene.io)
      t.same(shownReplied(await fetched(scene)), { [under]: true, [elsewhere]: false })
      const own = answered(scene, elsewhere, `So says @user${scene.account.externalId}`)
      const comments = await fetched(scene)
      t.same(shownReplied(comments), { [under]: true, [elsewhere]: true })
      t.notOk(idsOf(comments).includes(own))
    },
  )

  await t.test('when there are threads, then all in them is fetched, and under a post what answers it', async (t) => {
    const amongFans = wrote(scene, { inReplyTo: under, author: 'Bob' })
    const ours = answered(scene, under)
    const toUs = wrote(scene, { inReplyTo: ours })
    const deeper = wrote(scene, { inReplyTo: toUs, postId })
    const amongOthers = wrote(scene, { inReplyTo: elsewhere })
    const postOf = new Map((await fetched(scene)).map((comment) => [comment.id, comment.postId]))
    t.equal(postOf.get(under), postId)
    for (const id of [amongFans, toUs, deeper, amongOthers]) t.ok(postOf.has(id) && postOf.get(id) === undefined)
    t.notOk(postOf.has(ours))
  })

  await t.test('when its post has gone, then what stands under it is fetched all the same', async (t) => {
    scene.sandbox.ledger.removePost('x', postId)
    t.ok(idsOf(await fetched(scene)).includes(under))
  })

  await t.test('when only what is new is asked for, then nothing older comes', async (t) => {
    clock.pass(2 * HOUR_MS)
    t.same(await fetched(scene), [])
    const since = isoTime(clock.now())
    const id = await givenMention(scene)
    t.same(idsOf(await fetched(scene, since)), [id])
  })

  await t.test('when X has renamed its parameters, then the result is the same', async (t) => {
    const post = await givenPost(scene)
    const id = await givenMention(scene, { postId: post, text: 'Once more' })
    await reply(replyTo(scene, id), scene.io)
    const old = await fetched(scene)
    const baseUrl = `${proxy.url}/sandbox=new-names`
    const before = proxy.calls.length
    const renamed = await fetched({ ...scene, job: { ...scene.job, account: { ...scene.job.account, baseUrl } } })
    t.same(renamed, old)
    t.match(
      old.find((comment) => comment.id === id),
      { postId: post, replied: true, text: 'Once more', author: 'Ann', authorId: /^\d+$/ },
    )
    t.same(proxy.calls.slice(before), ['mentions', 'mentions', POST, POST])
  })
})

t.test('given more than fits on a page', async (t) => {
  const scene = await givenX(t)
  const { clock, job, io, proxy, sandbox } = scene
  const since = isoTime(clock.now() - 1_000)
  const ids: string[] = []
  for (let count = 0; count < 230; count += 1) ids.push(wrote(scene, { text: `Hello ${count}` }))
  for (const id of ids.slice(0, 130)) answered(scene, id)

  await t.test('when it is fetched, then all pages are, each once, whatever comes meanwhile', async (t) => {
    const found: FetchedComment[] = []
    for await (const page of conversation.fetch(job.account, since, io)) {
      found.push(...page)
      wrote(scene, { text: 'Late' })
    }
    t.same(idsOf(found), ids.toSorted())
    t.equal(found.filter(({ replied }) => replied === true).length, 130)
    t.equal(found.filter(({ replied }) => replied === false).length, 100)
    t.same(proxy.calls, ['mentions', POST, POST, 'mentions', 'mentions'])
  })

  await t.test('when who asks has enough, then no further page is asked for', async (t) => {
    const before = proxy.calls.length
    for await (const page of conversation.fetch(job.account, since, io)) {
      t.equal(page.length, 100)
      break
    }
    t.same(proxy.calls.slice(before), ['mentions', POST, POST])
  })

  await t.test(
    'when the pages never end, then it is not asked for ever, and what is missing not guessed',
    async (t) => {
      const [first = ''] = ids
      const body = JSON.stringify({ meta: { next_token: 'again' } })
      for (let page = 0; page < 8; page += 1) proxy.next(POST, { kind: 'answer', status: 200, body })
      t.ok((await fetched(scene)).every((comment) => !('replied' in comment)))
      const before = proxy.calls.length
      const own = replyTo(scene, first)
      for (let page = 0; page < 8; page += 1) proxy.next(POST, { kind: 'answer', status: 200, body })
      t.same(await find(own, io), { outcome: 'unknown' })
      for (let page = 0; page < 8; page += 1) proxy.next('mentions', { kind: 'answer', status: 200, body })
      t.same(await fetched(scene), [])
      t.equal(proxy.calls.length - before, 16)
    },
  )

  await t.test('when a token is not of the list, then the stand-in says so', async (t) => {
    const { accessToken = '' } = sandbox.ledger.account('x', scene.account.externalId)?.secrets ?? {}
    const url = `${scene.account.baseUrl}/2/users/${scene.account.externalId}/mentions?pagination_token=100`
    const answer = await scene.http.request(url, { headers: { authorization: `Bearer ${accessToken}` } })
    t.equal(answer.status, 400)
    t.match(answer.json(), { errors: [{ parameters: { pagination_token: [] } }] })
  })
})

t.test('given posts in odd shapes, when they are fetched, then the rest comes', async (t) => {
  const scene = await givenX(t)
  const { proxy, account } = scene
  const usual = { id: '1', text: 'Fine', created_at: '2026-03-01T10:00:00Z', author_id: '7' }
  const odd = [
    { ...usual, id: 12345678901234567890 },
    { ...usual, id: '2', text: undefined },
    { ...usual, id: '3', author_id: undefined },
    { ...usual, id: '4', created_at: 'yesterday' },
    { ...usual, id: '5', referenced_tweets: [{ type: 'retweeted', id: '9' }], text: 'RT @you: Fine' },
    { ...usual, id: '6', author_id: account.externalId },
    null,
    'text',
  ]
  const good = [
    usual,
    { ...usual, id: '7', author_id: '8', text: '', note_tweet: null },
    { ...usual, id: '8', text: 'Long…', note_tweet: { text: `${'long '.repeat(4_000)}&amp;amp;` } },
    { ...usual, id: '9', text: '@you @them', referenced_tweets: [{ type: 'replied_to', id: '1' }] },
    { ...usual, id: '10', text: '@you look', referenced_tweets: [{ type: 'quoted', id: '1' }] },
  ]
  const users = [{ id: '7', name: '', username: 'ann' }, { id: 8 }, null]
  const body = JSON.stringify({ data: [...odd, ...good], includes: { users }, errors: [{ title: 'Gone' }], meta: {} })
  proxy.next('mentions', { kind: 'answer', status: 200, body })
  const own = [{ id: '20', text: 'x', referenced_tweets: [{ type: 'replied_to', id: '1' }] }, { id: 21 }]
  proxy.next(POST, { kind: 'answer', status: 200, body: JSON.stringify({ data: own }) })
  const comments = await fetched(scene)
  t.same(idsOf(comments), ['1', '10', '7', '8', '9'])
  t.same(
    shownReplied(comments),
    { 1: true, 7: undefined, 8: undefined, 9: undefined, 10: undefined },
    'a post of the account that cannot be read may be an answer',
  )
  const text = new Map(comments.map((comment) => [comment.id, comment.text]))
  t.same(text.get('8'), `${'long '.repeat(4_000)}&amp;`)
  t.same(text.get('9'), '@them', 'what is not followed by anything is no name put before it')
  t.same(text.get('10'), '@you look', 'nor is what begins no reply')
  t.same(new Set(comments.map(({ author }) => author)), new Set(['', 'ann']))
  t.equal(comments[0]?.createdAt, '2026-03-01T10:00:00.000Z')

  proxy.next('mentions', {
    kind: 'answer',
    status: 200,
    body: JSON.stringify({ data: [usual], includes: { users: 7 } }),
  })
  t.match(await fetched(scene), [{ id: '1', author: '' }])
})

t.test('given a list that X refuses, when it is fetched, then the error says why', async (t) => {
  const scene = await givenX(t)
  const { proxy, clock } = scene
  await givenMention(scene)
  const reset = String(Math.ceil(clock.now() / 1_000) + 600)
  const rows: readonly (readonly [number, string, Record<string, string>, object])[] = [
    [403, problem(403, 'Missing required scope tweet.read'), {}, { kind: 'forbidden' }],
    [403, problem(403, 'Suspended'), {}, { kind: 'permanent', message: /Suspended/ }],
    [402, problem(402, 'No credits'), {}, { kind: 'permanent', message: /credit/ }],
    [404, problem(404, 'gone', 'resource-not-found'), {}, { kind: 'permanent' }],
    [429, '', { 'x-rate-limit-reset': reset }, { kind: 'retryable', accountRests: true }],
    [429, problem(429, 'Cap', 'usage-capped'), {}, { kind: 'permanent' }],
    [503, '<html>', {}, { kind: 'retryable' }],
    [200, '<html>', {}, { kind: 'retryable' }],
    [200, '{"data":7}', {}, { kind: 'retryable' }],
  ]
  for (const list of ['mentions', POST]) {
    for (const [status, body, headers, expected] of rows) {
      proxy.next(list, { kind: 'answer', status, body, headers })
      t.match(await refusal(fetched(scene)), expected, `${list}: ${status} ${body}`)
    }
    proxy.next(list, { kind: 'cut' })
    t.match(await refusal(fetched(scene)), { kind: 'retryable' }, `${list}: a connection that broke`)
  }
  t.equal((await fetched(scene)).length, 1)
})

t.test('given a mention', async (t) => {
  const scene = await givenX(t)
  const { io, sandbox, http, account, proxy } = scene
  const postId = await givenPost(scene)
  const mention = await givenMention(scene, { postId })

  await t.test('when it is answered, then the answer is live once, under it, and is no post', async (t) => {
    const job = replyTo(scene, mention)
    t.same(await find(job, io), { outcome: 'absent' })
    const before = proxy.calls.length
    const sent = await reply(job, io)
    t.same(proxy.calls.slice(before), [POST], 'one call')
    t.equal(sent.url, `https://x.com/i/status/${sent.replyId}`)
    t.same(await find(job, io), { outcome: 'found', found: sent })
    const shown = await http.request(`${sandbox.url}/_control/comments?platform=x&accountId=${account.externalId}`)
    const listed = z.array(z.record(z.string(), z.unknown())).parse(shown.json())
    t.match(listed.at(-1), { id: sent.replyId, writtenBy: 'account', inReplyTo: mention, postId, text: job.text })
    const posts = await http.request(`${sandbox.url}/_control/posts?platform=x`)
    t.equal(z.array(z.unknown()).parse(posts.json()).length, 1)
  })

  await t.test('when X does not allow the answer, then that is final', async (t) => {
    t.match(await refusal(reply(replyTo(scene, '1'), io)), { kind: 'permanent', message: /deleted or not visible/ })
    t.match(await refusal(reply(replyTo(scene, 'none'), io)), {
      kind: 'permanent',
      message: /rejected the request as invalid/,
    })
    const theirs = wrote(scene, { accountId: '4711' })
    t.match(await refusal(reply(replyTo(scene, theirs), io)), { kind: 'permanent', message: /mentioned/ })
    for (const text of ['a'.repeat(281), '  ', '$ABC $DEF']) {
      t.match(await refusal(reply(replyTo(scene, mention, { text }), io)), { kind: 'permanent' }, text.slice(0, 9))
    }
    sandbox.faults.script(fault({ call: 'reply', kind: 'reject' }))
    t.match(await refusal(reply(replyTo(scene, mention), io)), { kind: 'permanent', message: /not permitted/ })
    t.equal(replies(scene).length, 1)
  })

  await t.test('when X responds with an error, then each has its own outcome', async (t) => {
    const rows: readonly (readonly [number, string, object])[] = [
      [403, problem(403, 'x', 'unsupported-authentication'), { kind: 'forbidden' }],
      [403, problem(403, 'Missing required scope tweet.write'), { kind: 'forbidden' }],
      [403, problem(403, 'x', 'client-forbidden'), { kind: 'permanent', message: /developer console/ }],
      [403, problem(403, 'Reply not allowed because you have not been mentioned'), { message: /mentioned or quoted/ }],
      [400, problem(400, 'x', 'invalid-request'), { kind: 'permanent' }],
      [402, problem(402, 'x'), { kind: 'permanent', message: /credit/ }],
      [404, problem(404, 'gone', 'resource-not-found'), { kind: 'permanent' }],
      [429, problem(429, 'x', 'usage-capped'), { kind: 'permanent', accountRests: false }],
      [500, '{"errors":[{"code":131,"message":"Internal error"}]}', { kind: 'ambiguous', message: /Internal/ }],
      [503, '<html>', { kind: 'ambiguous' }],
      [408, '', { kind: 'ambiguous' }],
      [302, '', { kind: 'permanent' }],
      [200, '<html>', { kind: 'ambiguous' }],
      [201, '{"data":{"id":12345678901234567890}}', { kind: 'ambiguous' }],
    ]
    const job = replyTo(scene, mention)
    for (const [status, body, expected] of rows) {
      proxy.next(POST, { kind: 'answer', status, body })
      t.match(await refusal(reply(job, io)), expected, `${status} ${body}`)
    }
    proxy.next(POST, { kind: 'cut' })
    t.match(await refusal(reply(job, io)), { kind: 'ambiguous' }, 'a connection that broke')
    const nowhere = { ...job, account: { ...job.account, baseUrl: 'http://127.0.0.1:1' } }
    t.match(await refusal(reply(nowhere, io)), { kind: 'retryable' }, 'one that never was')
    t.equal(replies(scene).length, 1)
  })

  await t.test('when a limit is reached, then the account rests until it ends', async (t) => {
    sandbox.faults.script(fault({ call: 'reply', kind: 'rate_limit', retryAfterSeconds: 120 }))
    const error = await refusal(reply(replyTo(scene, mention), io))
    t.match(error, { kind: 'retryable', accountRests: true })
    t.ok(error.retryAfterMs !== undefined && error.retryAfterMs > 110_000 && error.retryAfterMs <= 121_000)
    t.equal(replies(scene).length, 1)
  })

  await t.test('when the access ends, then it is renewed once, and the answer is live once', async (t) => {
    sandbox.faults.script(fault({ call: 'reply', kind: 'token_expired' }))
    await reply(replyTo(scene, mention), io)
    t.equal(replies(scene).length, 2)
    sandbox.faults.script(fault({ call: 'reply', kind: 'token_expired', times: 4 }))
    t.match(await refusal(reply(replyTo(scene, mention), io)), { kind: 'needs-reauth' })
    scene.clock.pass(2 * HOUR_MS)
    t.equal((await fetched(scene, isoTime(0))).length, 1, 'one that has run out is renewed ahead')
    const spent = { ...scene, io: ioOf(http, { accessToken: 'void' }, { clock: scene.clock }) }
    t.match(await refusal(fetched(spent)), { kind: 'needs-reauth' })
    t.match(await refusal(reply(replyTo(scene, mention), spent.io)), { kind: 'needs-reauth' })
    t.equal(replies(scene).length, 2)
  })
})

t.test('given a reply whose answer was lost', async (t) => {
  const scene = await givenX(t)
  const { io, sandbox, proxy, clock } = scene
  const lose = (script: Parameters<typeof fault>[0]) => sandbox.faults.script(fault({ call: 'reply', ...script }))

  await t.test('when X has taken it, then it is found, and is live once', async (t) => {
    for (const script of [{ kind: 'accept_then_timeout' }, { kind: 'server_error', accepted: true }] as const) {
      const job = replyTo(scene, await givenMention(scene))
      lose(script)
      t.match(await refusal(reply(job, io)), { kind: 'ambiguous' })
      const last = replies(scene).at(-1)
      t.match(await find(job, io), { outcome: 'found', found: { replyId: last?.id } }, script.kind)
      t.equal(replies(scene).filter(({ inReplyTo }) => inReplyTo === job.commentId).length, 1)
    }
  })

  await t.test('when X has not taken it, then it is absent', async (t) => {
    const job = replyTo(scene, await givenMention(scene))
    lose({ kind: 'server_error' })
    t.match(await refusal(reply(job, io)), { kind: 'ambiguous' })
    t.same(await find(job, io), { outcome: 'absent' })
  })

  await t.test('when X has renamed its parameters, then it is found by the new names', async (t) => {
    const account = { ...scene.job.account, baseUrl: `${proxy.url}/sandbox=new-names` }
    const job = replyTo(scene, await givenMention(scene), { account })
    const sent = await reply(job, io)
    t.same(await find(job, io), { outcome: 'found', found: sent })
  })

  await t.test('when other answers are there, then none of them is taken for it', async (t) => {
    const mention = await givenMention(scene)
    const job = replyTo(scene, mention)
    answered(scene, mention, 'Thank you too!')
    answered(scene, mention, 'Thank you! https://example.com')
    answered(scene, await givenMention(scene))
    wrote(scene, { inReplyTo: mention, text: job.text, author: 'Bob' })
    t.same(await find(job, io), { outcome: 'absent' })
    const before = replyTo(scene, mention, { text: 'Before' })
    await reply(before, io)
    clock.pass(61_000)
    t.same(await find(replyTo(scene, mention, { text: 'Before' }), io), { outcome: 'absent' }, 'sent for another job')
    t.match(await find(before, io), { outcome: 'found' })
  })

  await t.test('when several look like it, or posts are missing, then the outcome is unknown', async (t) => {
    const mention = await givenMention(scene)
    const job = replyTo(scene, mention)
    for (const body of ['{"errors":[{"title":"Not Found"}],"meta":{}}', '{"data":[{"id":7}],"meta":{}}', '{"ok":1}']) {
      proxy.next(POST, { kind: 'answer', status: 200, body })
      t.same(await find(job, io), { outcome: 'unknown' }, body)
    }
    const body = '{"errors":[{"parameter":"referenced_tweets.id","title":"Not Found Error"}],"meta":{}}'
    proxy.next(POST, { kind: 'answer', status: 200, body })
    t.same(await find(job, io), { outcome: 'absent' }, 'a post that the account only refers to does not count')
    answered(scene, mention, 'Thank\u00a0 you!\u200b')
    t.match(await find(job, io), { outcome: 'found' }, 'spaces do not tell texts apart')
    answered(scene, mention)
    t.same(await find(job, io), { outcome: 'unknown' })
  })

  await t.test('when the account has posted much since, then it is found on a further page', async (t) => {
    const mention = await givenMention(scene)
    const job = replyTo(scene, mention)
    const { replyId } = await reply(job, io)
    for (let count = 0; count < 120; count += 1) answered(scene, mention, `Number ${count}`)
    t.match(await find(job, io), { outcome: 'found', found: { replyId } })
  })

  await t.test('when X calls it a duplicate, then it is looked for, and only another one is a failure', async (t) => {
    const mention = await givenMention(scene)
    const job = replyTo(scene, mention)
    const again = () => {
      proxy.next(POST, { kind: 'answer', status: 403, body: duplicate })
      return reply(job, io)
    }
    t.match(await refusal(again()), { kind: 'permanent', message: /same text.*duplicate/ })
    proxy.next(POST, { kind: 'answer', status: 403, body: duplicate })
    proxy.next(POST, { kind: 'answer', status: 200, body: '{"errors":[{}]}' })
    t.match(await refusal(reply(job, io)), { kind: 'ambiguous', message: /duplicate/ })
    proxy.next(POST, { kind: 'answer', status: 403, body: duplicate })
    proxy.next(POST, { kind: 'answer', status: 503, body: '' })
    t.match(await refusal(reply(job, io)), { kind: 'retryable' }, 'nothing was taken, and later it can be asked again')
    const sent = await reply(job, io)
    t.same(await again(), sent)
  })

  const word = fc.constantFrom(
    ...['Thanks', 'naïve', 'e\u0301', '東京', '👍🏽', '❤️', '&', '<b>', '&amp;', '@ann', '#tag', '…', '\u200d'],
    ...['https://example.com/a?b=c&d=e', 'example.com', 'See example.org.', '(https://example.com/x)'],
  )
  const words = fc.array(fc.tuple(word, fc.constantFrom(' ', '\n', '  ')), { minLength: 1, maxLength: 8 })
  const text = fc
    .tuple(fc.constantFrom('', ' '), words)
    .map(([before, parts]) => before + parts.flat().join(''))
    .filter((text) => text.trim() !== '' && check(text).length === 0)

  await t.test('when its text is one that X changes, then it is found all the same', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (text) => {
        const job = replyTo(scene, await givenMention(scene), { text })
        const { replyId } = await reply(job, io)
        const search = await find(job, io)
        const another = await find({ ...job, text: `${text} No.` }, io)
        return search.outcome === 'found' && search.found.replyId === replyId && another.outcome === 'absent'
      }),
      { numRuns: 60 },
    )
  })
})

t.test('given a text, then every rule of X that it breaks is named with limit and value', async (t) => {
  for (const fine of ['a'.repeat(280), '日'.repeat(140), `${'a'.repeat(256)} https://example.com/${'b'.repeat(90)}`]) {
    t.same(check(fine), [])
  }
  t.match(check('a'.repeat(281)), [/280 characters.*this one has 281/])
  t.match(check('日'.repeat(141)), [/this one has 282/])
  t.match(check(`${'a'.repeat(257)} example.com`), [/this one has 281/])
  t.match(check('$ABC $DEF'), [/1 cashtag.*has 2/])
  t.match(check('a\ufeff'), [/U\+FEFF/])
  t.equal(check(`$ABC $DEF ${'a'.repeat(281)}`).length, 2)
})

t.test('given a wrong request, then the stand-in refuses it as X does', async (t) => {
  const scene = await givenX(t)
  const { account, http } = scene
  const mention = await givenMention(scene)
  const { accessToken = '' } = account.credentials
  const call = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
    const sent = body && ({ method: 'POST', body: JSON.stringify(body) } as const)
    const answer = await http.request(`${account.baseUrl}${path}`, { headers, ...sent })
    return `${answer.status} ${answer.text()}`
  }
  const mentions = `/2/users/${account.externalId}/mentions`
  for (const [answer, expected] of [
    [await call(`${mentions}?max_results=4`), /^400 .*max_results/],
    [await call(`${mentions}?max_results=101`), /^400 .*max_results/],
    [await call(`${mentions}?post.fields=created_at`), /^400 .*post\.fields/],
    [await call(`/sandbox=new-names${mentions}?tweet.fields=created_at`), /^400 .*tweet\.fields/],
    [await call(`/sandbox=new-names${mentions}?post.fields=author_id`), /^400 .*post\.fields/],
    [await call(`${mentions}?tweet.fields=toString`), /^400 .*tweet\.fields/],
    [await call(`${mentions}?expansions=referenced_posts`), /^400 .*expansions/],
    [await call(`${mentions}?exclude=retweets`), /^400 .*exclude/],
    [await call(`${mentions}?start_time=today`), /^400 .*start_time/],
    [await call('/2/users/1/mentions'), /^403 /],
    [
      await call(mentions),
      /^200 {"data":\[{"id":"\d+","text":"Hello you"}\],"meta":{"result_count":1,"newest_id":"(\d+)","oldest_id":"\1"}}$/,
    ],
    [await call(`${mentions}?since_id=${mention}`), /^200 {"meta":{"result_count":0}}$/],
    [await call(`${mentions}?until_id=${mention}`), /^200 {"meta":{"result_count":0}}$/],
    [await call(`${mentions}?end_time=2026-01-01T00:00:00Z`), /^200 {"meta":{"result_count":0}}$/],
    [await call('/2/tweets', { text: 'Hi', reply: { in_reply_to_tweet_id: Number(mention) } }), /^400 .*in_reply_to/],
    [await call('/2/tweets', { text: 'Hi', reply: { in_reply_to_tweet_id: mention, to: '1' } }), /^400 /],
    [await call('/2/tweets', { text: ' ' }), /^400 .*text/],
  ] as const) {
    t.match(answer, expected)
  }
  t.same(replies(scene), [])
})
