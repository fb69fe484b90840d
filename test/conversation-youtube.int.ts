import fc from 'fast-check'
import t from 'tap'
import type { FetchedComment, ReplyJob } from '../platforms/kit/conversation.ts'
import { HttpFailure, type HttpRequest } from '../infra/http/http.ts'
import type { PlatformIo } from '../platforms/kit/platform.ts'
import { conversation } from '../platforms/youtube/conversation.ts'
import { youtube } from '../platforms/youtube/index.ts'
import { untilPacificMidnight } from '../platforms/youtube/pacific.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { accountOf, givenAccount, memoryCredentials, postJson } from './support/sandbox.ts'
import {
  answer,
  answered,
  failure,
  givenChannel,
  givenVideo,
  googleError,
  later,
  wrote,
  type Scene,
} from './support/youtube.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const MEBIBYTE = 1024 * 1024

const THREADS = 'GET /youtube/v3/commentThreads'
const REPLIES = 'GET /youtube/v3/comments'
const POST = 'POST /youtube/v3/comments'

const isThreads = (url: URL) => url.pathname.endsWith('/commentThreads')
const isReplies = (url: URL, { method }: HttpRequest) => url.pathname.endsWith('/comments') && method === 'GET'
const isReply = (url: URL, { method }: HttpRequest) => url.pathname.endsWith('/comments') && method === 'POST'

type Place = Pick<Scene, 'clock' | 'io'> & { readonly job: Pick<Scene['job'], 'account'> }

async function fetchedSince({ io, job }: Place, since: string, more: Partial<PlatformIo> = {}) {
  const comments: FetchedComment[] = []
  for await (const page of conversation.fetch(job.account, since, { ...io, ...more })) comments.push(...page)
  return comments
}

/** @param agoMs not older than so long */
function fetched(place: Place, agoMs = 7 * DAY_MS, more: Partial<PlatformIo> = {}) {
  return fetchedSince(place, isoTime(place.clock.now() - agoMs), more)
}

const idsOf = (comments: readonly { readonly id: string }[]) => comments.map(({ id }) => id).toSorted()
const repliedOf = (comments: readonly FetchedComment[]) =>
  Object.fromEntries(comments.map(({ id, replied }) => [id, replied]))

function replyTo({ job, clock }: Place, commentId: string, more: Partial<ReplyJob> = {}): ReplyJob {
  return {
    key: crypto.randomUUID(),
    account: job.account,
    commentId,
    references: {},
    text: 'Thank you!',
    approvedAt: isoTime(clock.now()),
    ...more,
  }
}

const find = async ({ io }: Place, job: ReplyJob) => conversation.find?.(job, io)

/** The account's own, as they are live. */
const ours = ({ sandbox, account }: Scene) =>
  sandbox.ledger.commentsOf('youtube', account.externalId).filter(({ writtenBy }) => writtenBy === 'account')

const fan = async ({ http, sandbox, account }: Scene, more: { readonly postId?: string; readonly text?: string }) => {
  const body = { platform: 'youtube', accountId: account.externalId, author: 'Ann', text: 'Lovely', ...more }
  const { id } = (await postJson(http, `${sandbox.url}/_control/comments`, body)).json() as { readonly id: string }
  return id
}

/** A video whose details differ. */
function withoutComments(scene: Scene, details: { readonly madeForKids?: boolean; readonly privacyStatus?: string }) {
  const usual = {
    title: 'A walk',
    categoryId: '22',
    privacyStatus: 'public',
    madeForKids: false,
    notifySubscribers: true,
  }
  return givenVideo(scene, Object.keys(details).join(), { details: { ...usual, ...details } })
}

t.test('what fans write under a video or on the page is fetched, and what is answered is live once', async (t) => {
  const scene = await givenChannel(t)
  const { io, sandbox, account, http, calls } = scene
  t.equal(youtube.conversation, conversation)
  const videoId = givenVideo(scene)
  const under = await fan(scene, { postId: videoId, text: 'Lovely <3 & "so" on\nyes' })
  const elsewhere = await fan(scene, {})
  t.match(under, /^Ug[\w-]{17}4AaABAg$/, "in YouTube's own form")
  await fan(scene, { postId: videoId, text: 'old, later on' })
  await later(scene, 20 * MINUTE_MS)
  const young = await fan(scene, { postId: videoId })

  calls.length = 0
  const comments = await fetched(scene, 30 * MINUTE_MS)
  t.same(calls, [THREADS], 'one page is one unit of the quota')
  t.equal(comments.length, 4)
  t.same(idsOf(await fetched(scene, 10 * MINUTE_MS)), [young], 'the others are too old')
  const comment = comments.find(({ id }) => id === under)
  t.match(comment, { kind: 'comment', postId: videoId, author: 'Ann', text: 'Lovely <3 & "so" on\nyes' })
  t.match(comment, { authorId: /^UC[\w-]{22}$/, replied: false, references: {} })
  t.equal(Date.parse(comment?.createdAt ?? '') % 1000, 0)
  t.notOk(Object.hasOwn(comments.find(({ id }) => id === elsewhere) ?? {}, 'postId'))

  calls.length = 0
  const sent = await conversation.reply(replyTo(scene, under, { text: ' Thanks  \r\nAnn\n' }), io)
  t.same(calls, [THREADS, POST])
  t.match(sent.replyId, new RegExp(`^${under}\\.[\\w-]{22}$`))
  t.equal(sent.url, `https://www.youtube.com/watch?v=${videoId}&lc=${sent.replyId}`)
  const onPage = await conversation.reply(replyTo(scene, elsewhere), io)
  t.same(onPage, { replyId: onPage.replyId }, 'without a video there is no link')

  const query = `platform=youtube&accountId=${account.externalId}`
  const shown = (await http.request(`${sandbox.url}/_control/comments?${query}`)).json()
  t.match(
    (shown as readonly { readonly writtenBy: string }[]).filter(({ writtenBy }) => writtenBy === 'account'),
    [{ id: sent.replyId, inReplyTo: under, postId: videoId }, { inReplyTo: elsewhere }],
  )
  t.equal(ours(scene)[0]?.text, 'Thanks  \nAnn', 'as YouTube keeps it')
  t.match(repliedOf(await fetched(scene)), { [under]: true, [elsewhere]: true, [young]: false })
  t.equal((await fetched(scene)).length, 4, 'what the account wrote is not among them')
})

t.test('everything that others wrote since then is fetched, once, and nothing else', async (t) => {
  const scene = await givenChannel(t)
  const age = fc.integer({ min: 1, max: 20 * 24 * 60 })
  const thread = fc.record({
    age,
    own: fc.boolean(),
    replies: fc.array(fc.record({ part: fc.double({ min: 0, max: 0.99, noNaN: true }), own: fc.boolean() }), {
      maxLength: 9,
    }),
  })
  const cases = fc.record({ threads: fc.array(thread, { maxLength: 12 }), many: fc.boolean(), since: age })
  await fc.assert(
    fc.asyncProperty(cases, async ({ threads, many, since }) => {
      const account = await givenAccount(scene.http, scene.sandbox, 'youtube')
      const place = { ...scene, account }
      const expected: string[] = []
      const one = (id: string, ageMs: number, own: boolean, openedMs: number, more: object = {}) => {
        wrote(place, id, ageMs, { ...more, ...(own && { writtenBy: 'account', author: 'Us' }) })
        const lively = openedMs <= Math.max(7 * DAY_MS, since * MINUTE_MS)
        if (!own && ageMs <= since * MINUTE_MS && lively) expected.push(id)
      }
      // A hundred fit a page.
      const filler = many ? Array.from({ length: 130 }, (_, n) => ({ age: 1 + n * 200, own: false, replies: [] })) : []
      for (const [n, { age, own, replies }] of [...threads, ...filler].entries()) {
        const id = `t${n}-${account.externalId}`
        // Half a minute beside every border, so that the time that passes meanwhile is no matter.
        const openedMs = age * MINUTE_MS - 30_000
        one(id, openedMs, own, openedMs)
        for (const [r, { part, own }] of replies.entries()) {
          one(`${id}.${r}`, Math.floor(age * part) * MINUTE_MS + 30_000, own, openedMs, { inReplyTo: id })
        }
      }
      const io = { ...scene.io, credentials: memoryCredentials(account.credentials) }
      const comments = await fetched(
        { ...scene, io, job: { account: accountOf('youtube', account) } },
        since * MINUTE_MS,
      )
      t.strictSame(idsOf(comments), expected.toSorted())
      return comments.every(({ replied }) => replied !== undefined)
    }),
    { numRuns: 40 },
  )
})

t.test('what was written in the second of the last look is fetched', async (t) => {
  const scene = await givenChannel(t)
  const second = isoTime(scene.clock.now() - HOUR_MS).slice(0, 19)
  for (const [id, part] of Object.entries({ late: '.900Z', early: '.100Z' })) {
    wrote(scene, id, 0, { createdAt: `${second}${part}` })
  }
  t.same(idsOf(await fetchedSince(scene, `${second}.500Z`)), ['early', 'late'], 'YouTube returns whole seconds')
})

t.test('no more pages are asked for than there is something in', async (t) => {
  const scene = await givenChannel(t)
  for (let n = 0; n < 350; n += 1) wrote(scene, `t${n}`, (n + 0.5) * HOUR_MS)
  const pages = async (agoMs: number) => {
    scene.calls.length = 0
    const { length } = await fetched(scene, agoMs)
    return { length, calls: scene.calls.length }
  }
  t.same(await pages(HOUR_MS), { length: 1, calls: 2 }, 'fresh replies are looked for in threads of seven days')
  t.same(await pages(250 * HOUR_MS), { length: 250, calls: 3 })
  t.same(await pages(400 * HOUR_MS), { length: 350, calls: 4 })
  wrote(scene, 'pinned', 300 * DAY_MS)
  scene.intercept((url) => {
    if (!isThreads(url) || url.searchParams.has('pageToken')) return undefined
    const comment = (id: string, hours: number) => {
      const snippet = { textDisplay: '', publishedAt: isoTime(scene.clock.now() - hours * HOUR_MS) }
      return { id, snippet: { totalReplyCount: 0, topLevelComment: { id, snippet } } }
    }
    const nextPageToken = Buffer.from('after t0').toString('base64url')
    return answer(200, { items: [comment('pinned', 9_000), comment('first', 0.1)], nextPageToken })
  })
  t.same(await pages(HOUR_MS), { length: 1, calls: 3 }, 'an old one at the top does not end it')
})

t.test('a comment counts as answered by what the account wrote after it, from wherever', async (t) => {
  const scene = await givenChannel(t)
  const postId = givenVideo(scene)
  wrote(scene, 'deep', 10 * HOUR_MS, { postId })
  answered(scene, 'deep.0', 9 * HOUR_MS)
  for (let n = 1; n < 8; n += 1) wrote(scene, `deep.${n}`, (8 - n) * HOUR_MS, { inReplyTo: 'deep' })
  wrote(scene, 'own', 10 * HOUR_MS, { writtenBy: 'account', postId })
  wrote(scene, 'own.1', 9 * HOUR_MS, { inReplyTo: 'own' })
  answered(scene, 'own.2', 8 * HOUR_MS)
  wrote(scene, 'own.3', 7 * HOUR_MS, { inReplyTo: 'own' })
  wrote(scene, 'alone', 9 * HOUR_MS)
  wrote(scene, 'at-once', 9 * HOUR_MS)
  answered(scene, 'at-once.1', 9 * HOUR_MS)
  wrote(scene, 'at-once.2', 9 * HOUR_MS, { inReplyTo: 'at-once' })
  wrote(scene, 'among-fans', 9 * HOUR_MS)
  wrote(scene, 'among-fans.1', 8 * HOUR_MS, { inReplyTo: 'among-fans' })

  scene.calls.length = 0
  const comments = await fetched(scene)
  t.same(scene.calls, [THREADS, REPLIES], 'only where the page has not all replies')
  t.same(repliedOf(comments), {
    deep: true,
    ...Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`deep.${n + 1}`, false])),
    'own.1': true,
    'own.3': false,
    alone: false,
    'at-once': true,
    'at-once.2': false,
    'among-fans': false,
    'among-fans.1': false,
  })
  t.match(
    comments.filter(({ postId }) => postId === undefined).map(({ id }) => id),
    ['among-fans', 'among-fans.1', 'at-once', 'at-once.2', 'alone'],
  )

  await conversation.reply(replyTo(scene, 'deep.7'), scene.io)
  t.match(ours(scene).at(-1), { inReplyTo: 'deep' }, 'a reply to a reply goes to the end of its thread')
  t.notOk(Object.values(repliedOf((await fetched(scene)).filter(({ id }) => /^deep/.test(id)))).includes(false))
})

t.test('one thread that is odd or gone does not stop the others', async (t) => {
  const scene = await givenChannel(t)
  const [gone, video] = [givenVideo(scene, 'gone_video1'), givenVideo(scene)]
  for (const [n, postId] of [gone, video, video].entries()) {
    wrote(scene, `deep${n}`, (n + 1) * HOUR_MS, { postId })
    for (let r = 0; r < 6; r += 1) wrote(scene, `deep${n}.${r}`, (n + 0.5) * HOUR_MS, { inReplyTo: `deep${n}` })
  }
  const remaining = [1, 2].flatMap((n) => [`deep${n}`, ...Array.from({ length: 6 }, (_, r) => `deep${n}.${r}`)])
  scene.intercept((url, request) => {
    if (isReplies(url, request)) scene.sandbox.ledger.removePost('youtube', gone)
    return undefined
  })
  t.same(idsOf(await fetched(scene)), remaining, 'deleted between two calls')
  t.same(idsOf(await fetched(scene)), remaining, 'deleted before')

  const meets = (of: string, ...told: Parameters<typeof answer>) =>
    scene.intercept((url, request) =>
      isReplies(url, request) && url.searchParams.get('parentId') === of ? answer(...told) : undefined,
    )
  const partly = async () => {
    const seen: FetchedComment[] = []
    const work = (async () => {
      const since = isoTime(scene.clock.now() - DAY_MS)
      for await (const page of conversation.fetch(scene.job.account, since, scene.io)) seen.push(...page)
    })()
    return { error: (await work.catch((error: unknown) => error)) as object | undefined, seen }
  }
  for (const [status, body] of [
    [403, googleError('forbidden')],
    [404, googleError('commentNotFound')],
    [400, googleError('operationNotSupported')],
  ] as const) {
    meets('deep1', status, body)
    const { error, seen } = await partly()
    t.equal(error, undefined, `${status} is final`)
    t.equal(seen.length, 7)
  }
  for (const [status, body] of [
    [500, ''],
    [200, 'no JSON'],
    [200, { items: 'none' }],
    [400, googleError('processingFailure')],
  ] as const) {
    meets('deep1', status, body)
    const { error, seen } = await partly()
    t.match(error, failure('retryable'), `${status} is told when the others are through`)
    t.equal(seen.length, 7)
  }
  for (const [status, reason, kind] of [
    [403, 'quotaExceeded', 'retryable'],
    [429, 'rateLimitExceeded', 'retryable'],
    [403, 'insufficientPermissions', 'forbidden'],
  ] as const) {
    meets('deep1', status, googleError(reason))
    scene.calls.length = 0
    t.match((await partly()).error, { ...failure(kind), accountRests: kind === 'retryable' })
    t.same(scene.calls, [THREADS, REPLIES], `${reason} ends it at once`)
  }
})

t.test('comments of any shape are read as far as they can be', async (t) => {
  const scene = await givenChannel(t)
  const publishedAt = isoTime(scene.clock.now())
  const snippet = { textDisplay: 'x', publishedAt }
  const thread = (topLevelComment: unknown, more: object = {}) => ({ id: 't', snippet: { topLevelComment, ...more } })
  const listed = async (items: unknown) => {
    scene.intercept((url) => (isThreads(url) ? answer(200, { items }) : undefined))
    return fetched(scene)
  }
  for (const odd of [
    null,
    'text',
    {},
    { id: 't' },
    thread(null),
    thread({ snippet }),
    thread({ id: '', snippet }),
    thread({ id: 'a', snippet: { publishedAt } }),
    thread({ id: 'a', snippet: { ...snippet, publishedAt: 'yesterday' } }),
    thread({ id: 'a', snippet: { ...snippet, publishedAt: 7 } }),
  ]) {
    const comments = await listed([odd, thread({ id: 'fine', snippet })])
    t.same(idsOf(comments), ['fine'], JSON.stringify(odd))
  }
  t.same(await listed(undefined), [], 'a page may be empty')

  const bare = { kind: 'comment', createdAt: publishedAt.replace(/\.\d+/, '.000'), references: {} } as const
  const rounded = { ...snippet, publishedAt: bare.createdAt }
  t.same(await listed([thread({ id: 'a', snippet: rounded })]), [
    { ...bare, id: 'a', author: '', text: 'x', replied: false },
  ])
  t.match(
    await listed([thread({ id: 'a', snippet: { ...rounded, authorDisplayName: 7, authorChannelId: {} } })]),
    [{ id: 'a', author: '' }],
    'who closed the channel has no name',
  )
  const zoned = { ...snippet, publishedAt: bare.createdAt.replace('Z', '+00:00'), textDisplay: '\u0000'.repeat(20_000) }
  t.match(await listed([thread({ id: 'a', snippet: zoned })]), [{ createdAt: bare.createdAt, text: /^\0{20000}$/ }])
  const replies = { comments: [{ id: 'a.1', snippet: rounded }, { id: 'a.2' }] }
  t.match(
    await listed([{ ...thread(null, { totalReplyCount: 1 }), replies }]),
    [{ id: 'a.1', replied: false }],
    'a reply to what cannot be read is read',
  )
  await t.rejects(listed('none'), failure('retryable'))
})

t.test('a page that is larger than an answer may be is asked for in parts', async (t) => {
  const scene = await givenChannel(t)
  for (let n = 0; n < 30; n += 1) wrote(scene, `t${n}`, (n + 1) * MINUTE_MS, { text: 'x'.repeat(MEBIBYTE / 12) })
  const sizes: string[] = []
  scene.intercept((url) => {
    sizes.push(url.searchParams.get('maxResults') ?? '')
    return undefined
  })
  t.equal((await fetched(scene)).length, 30)
  t.same(sizes, ['100', '10', '100', '10', '100'], 'and the next is tried as a whole again')

  wrote(scene, 'huge', 30_000, { text: 'x'.repeat(2 * MEBIBYTE) })
  await t.rejects(fetched(scene), { ...failure('retryable'), message: /too large/ })
  t.same(sizes.slice(5), ['100', '10', '1'])
})

t.test('one look has an end, whatever is listed', async (t) => {
  const scene = await givenChannel(t)
  const publishedAt = isoTime(scene.clock.now())
  const comment = (id: string) => ({ id, snippet: { textDisplay: 'x', publishedAt } })
  let calls = 0
  scene.intercept(() => {
    calls += 1
    return answer(200, { items: [], nextPageToken: `page${calls}` })
  })
  t.same(await fetched(scene), [])
  t.equal(calls, 60)

  calls = 0
  scene.intercept((url) => {
    calls += 1
    const top = comment('t')
    const replies = { comments: [comment('t.shown')] }
    const thread = { id: 't', snippet: { totalReplyCount: 9, topLevelComment: top }, replies }
    const items = isThreads(url) ? [thread] : [comment(`t.${calls}`)]
    return answer(200, { items, nextPageToken: `page${calls}` })
  })
  const comments = await fetched(scene)
  t.equal(calls, 60)
  t.equal(comments.length, 61, 'with the reply that the page of threads has')
  t.notOk(
    comments.some((each) => Object.hasOwn(each, 'replied')),
    'whether it is answered nobody knows',
  )
})

t.test('a look that cannot be made says why', async (t) => {
  const scene = await givenChannel(t)
  const { io, store, sandbox, account } = scene
  wrote(scene, 't', HOUR_MS)
  for (const [status, body, expected] of [
    [403, googleError('quotaExceeded'), { ...failure('retryable'), accountRests: true }],
    [429, '', { ...failure('retryable'), accountRests: true }],
    [403, googleError('insufficientPermissions'), { ...failure('forbidden'), message: /scope youtube.force-ssl/ }],
    [403, googleError('channelSuspended'), failure('permanent')],
    [404, googleError('channelNotFound'), failure('permanent')],
    [503, '', { ...failure('retryable'), accountRests: false }],
    [200, '<html>', failure('retryable')],
  ] as const) {
    scene.intercept((url) => (isThreads(url) ? answer(status, body) : undefined))
    await t.rejects(fetched(scene), expected, JSON.stringify(body))
  }
  scene.intercept(undefined)

  const known = sandbox.ledger.account('youtube', account.externalId) ?? t.fail('it is connected')
  if (typeof known !== 'object') return
  sandbox.ledger.saveAccount({ ...known, secrets: { ...known.secrets, accessToken: '' } })
  t.equal((await fetched(scene)).length, 1, 'an access that has ended is renewed')
  const stored = sandbox.ledger.account('youtube', account.externalId)?.secrets ?? {}
  t.equal((await store.read())['accessToken'], stored['accessToken'])

  const upload = 'https://www.googleapis.com/auth/youtube.upload'
  sandbox.ledger.saveAccount({ ...known, secrets: { ...stored, scope: upload } })
  await t.rejects(fetched(scene), { ...failure('forbidden'), message: /insufficient authentication scopes/ })
  const lost = memoryCredentials({ accessToken: 'void' })
  await t.rejects(fetched(scene, DAY_MS, { credentials: lost }), failure('needs-reauth'))
  await t.rejects(conversation.reply(replyTo(scene, 't'), { ...io, credentials: lost }), failure('needs-reauth'))
  t.same(ours(scene), [])
})

t.test('each reason for refusing a reply is recognized', async (t) => {
  const scene = await givenChannel(t)
  const { io, clock } = scene
  const refusals = {
    commentTextRequired: /does not accept the comment/,
    commentTextTooLong: /does not accept the comment/,
    invalidCommentMetadata: /does not accept the comment/,
    invalidCustomEmoji: /does not accept the comment/,
    parentIdMissing: /does not accept the comment/,
    operationNotSupported: /does not accept replies to this comment/,
    parentCommentIsPrivate: /does not accept replies to this comment/,
    parentCommentNotFound: /no longer has the comment/,
    ineligibleAccount: /no YouTube channel/,
    channelClosed: /no YouTube channel/,
    forbidden: /does not allow this/,
    accessNotConfigured: /not enabled/,
  }
  for (const [reason, message] of Object.entries(refusals)) {
    const id = wrote(scene, reason, HOUR_MS, { text: `[sandbox refuse=${reason}]` })
    await t.rejects(conversation.reply(replyTo(scene, id), io), { ...failure('permanent'), message }, reason)
  }
  t.equal(scene.calls.filter((call) => call === POST).length, Object.keys(refusals).length - 1, 'one is known before')

  const commentId = wrote(scene, 'fine', HOUR_MS)
  const resting = { ...failure('retryable'), accountRests: true }
  for (const [status, body, expected] of [
    [400, googleError('processingFailure'), failure('ambiguous')],
    [408, '', failure('ambiguous')],
    [500, googleError('internalError'), failure('ambiguous')],
    [502, '<html>', failure('ambiguous')],
    [503, googleError('backendError'), failure('ambiguous')],
    [504, '', failure('ambiguous')],
    [200, '{"id":', failure('ambiguous')],
    [200, { kind: 'youtube#comment' }, failure('ambiguous')],
    [204, '', failure('ambiguous')],
    [403, googleError('insufficientPermissions'), failure('forbidden')],
    [429, '', resting],
    [403, googleError('rateLimitExceeded'), resting],
    [403, googleError('quotaExceeded'), resting],
    [400, googleError('neverHeardOf'), failure('permanent')],
    [302, '', failure('permanent')],
  ] as const) {
    scene.intercept((url, request) => (isReply(url, request) ? answer(status, body) : undefined))
    await t.rejects(conversation.reply(replyTo(scene, commentId), io), expected, `${status} ${JSON.stringify(body)}`)
  }
  const quota = answer(403, googleError('quotaExceeded'), { 'retry-after': '1' })
  scene.intercept((url, request) => (isReply(url, request) ? quota : undefined))
  const error: { retryAfterMs?: number } = await conversation
    .reply(replyTo(scene, commentId), io)
    .then(() => ({}))
    .catch((error: object) => error)
  t.ok(Math.abs((error.retryAfterMs ?? NaN) - untilPacificMidnight(clock.now())) < 10_000)

  for (const [mayHaveArrived, kind] of [
    [true, 'ambiguous'],
    [false, 'retryable'],
  ] as const) {
    scene.intercept((url, request) => {
      if (isReply(url, request)) throw new HttpFailure('reset', 'the connection broke', mayHaveArrived)
      return undefined
    })
    await t.rejects(conversation.reply(replyTo(scene, commentId), io), failure(kind))
  }
  for (const status of [500, 408]) {
    scene.intercept((url) => (isThreads(url) ? answer(status, '') : undefined))
    await t.rejects(
      conversation.reply(replyTo(scene, commentId), io),
      failure('retryable'),
      'the look before it shows nothing',
    )
  }
  t.same(ours(scene), [])

  scene.intercept((url) => (isThreads(url) ? answer(200, { items: [{ id: 7 }] }) : undefined))
  const { replyId, url } = await conversation.reply(replyTo(scene, commentId), io)
  t.same([ours(scene)[0]?.id, url], [replyId, undefined], 'an inconclusive check stops nothing')
})

t.test('whatever happens to the response, a search shows whether the reply exists', async (t) => {
  for (const [fault, expected, accepted] of [
    [{ kind: 'accept_then_timeout' }, failure('ambiguous'), true],
    [{ kind: 'server_error', accepted: true }, failure('ambiguous'), true],
    [{ kind: 'server_error' }, failure('ambiguous'), false],
    [
      { kind: 'rate_limit', retryAfterSeconds: 7 },
      { ...failure('retryable'), retryAfterMs: 7_000, accountRests: true },
      false,
    ],
    [{ kind: 'reject' }, { ...failure('permanent'), message: /insufficient permissions/ }, false],
    [{ kind: 'token_expired', times: 4 }, failure('needs-reauth'), false],
  ] as const) {
    const scene = await givenChannel(t)
    const name = JSON.stringify(fault)
    const commentId = wrote(scene, 'thread', HOUR_MS, { postId: givenVideo(scene) })
    for (let n = 0; n < 130; n += 1) wrote(scene, `thread.${n}`, 30 * MINUTE_MS, { inReplyTo: 'thread' })
    const job = replyTo(scene, commentId, { text: '  Thank\u0065\u0301 you!\r\nhttps://fanfare.example/a?b=c&d ' })
    scene.fault({ ...fault, call: 'reply' })
    await t.rejects(conversation.reply(job, scene.io), expected, name)
    t.equal(ours(scene).length, accepted ? 1 : 0, name)
    await later(scene, conversation.visibleWithinMs)
    const found = await find(scene, job)
    if (accepted) {
      const replyId = ours(scene)[0]?.id
      const url = `https://www.youtube.com/watch?v=a_video_001&lc=${replyId}`
      t.same(found, { outcome: 'found', found: { replyId, url } }, `${name}: trimmed, other line ends`)
    } else {
      t.same(found, { outcome: 'absent' }, name)
      const { replyId } = await conversation.reply(job, scene.io)
      t.same(idsOf(ours(scene)), [replyId], 'sent once')
    }
    t.same(scene.sandbox.faults.pending(), [])
  }

  const scene = await givenChannel(t)
  const commentId = wrote(scene, 'thread', HOUR_MS)
  scene.fault({ kind: 'slow', call: 'reply', delayMs: 50 })
  await conversation.reply(replyTo(scene, commentId), scene.io)
  scene.fault({ kind: 'token_expired', call: 'reply' })
  await conversation.reply(replyTo(scene, commentId), scene.io)
  t.equal(ours(scene).length, 2, 'what met 401 went out once all the same')
})

t.test('a search that finds no clear answer believes nothing', async (t) => {
  const scene = await givenChannel(t)
  const { clock, sandbox } = scene
  /** A thread of its own, with what stands in it before the search. */
  let threads = 0
  const searched = async (given: (id: string) => void, more: Partial<ReplyJob> = {}) => {
    threads += 1
    const id = wrote(scene, `thread${threads}`, HOUR_MS)
    given(id)
    const approvedAt = isoTime(Math.floor(clock.now() / 1000) * 1000 - 10 * MINUTE_MS + 900)
    return find(scene, replyTo(scene, id, { approvedAt, ...more }))
  }
  const at = (secondsAfter: number) => 10 * MINUTE_MS - secondsAfter * 1_000
  const text = 'Thank you!'
  const found = (id: string) => ({ outcome: 'found', found: { replyId: `${id}.1` } })
  const [unknown, absent] = [{ outcome: 'unknown' }, { outcome: 'absent' }]

  const last = () => `thread${threads}`
  t.same(await searched((id) => answered(scene, `${id}.1`, at(2), { text })), found(last()))
  const same = isoTime(Math.floor(clock.now() / 1000) * 1000 - 10 * MINUTE_MS + 950)
  t.same(
    await searched((id) => answered(scene, `${id}.1`, 0, { text, createdAt: same })),
    found(last()),
    'its time is told without the parts of a second',
  )
  const earlier = (id: string) => answered(scene, `${id}.1`, at(-5), { text })
  t.same(
    await searched(earlier),
    unknown,
    'one of just before may be it, by their clock, or the same words sent before',
  )
  t.same(await searched((id) => answered(scene, `${id}.1`, at(-90), { text })), absent, 'one of long before is not it')
  t.same(
    await searched((id) => {
      earlier(id)
      answered(scene, `${id}.2`, at(5), { text })
    }),
    unknown,
    'the same words before and since',
  )
  t.same(
    await searched((id) => {
      answered(scene, `${id}.1`, at(2), { text })
      answered(scene, `${id}.2`, at(5), { text })
    }),
    unknown,
    'the same words twice since',
  )
  const [composed, apart] = ['Caf\u00e9 at 9', 'Cafe\u0301  at\n9']
  t.same(
    await searched((id) => answered(scene, `${id}.1`, at(2), { text: composed }), { text: apart }),
    found(last()),
    'the same words, encoded another way',
  )
  t.same(await searched((id) => answered(scene, `${id}.1`, at(2), { text: 'Thank you' })), absent)
  t.same(await searched((id) => wrote(scene, `${id}.1`, at(2), { inReplyTo: id, text })), absent, "a fan's words")
  t.same(
    await searched((id) => wrote(scene, `${id}.1`, at(2), { inReplyTo: id, text, details: {} })),
    unknown,
    'who wrote it is not told',
  )
  const elsewhere = { commentId: wrote(scene, 'elsewhere', HOUR_MS) }
  t.same(await searched((id) => answered(scene, `${id}.1`, at(2), { text }), elsewhere), absent, 'another thread')
  const inThread = replyTo(scene, `${last()}.77`, { approvedAt: isoTime(clock.now() - HOUR_MS) })
  t.same(await find(scene, inThread), found(last()), 'a reply to a reply is one of the thread')

  t.same(await find(scene, replyTo(scene, 'never there')), unknown, 'the comment is deleted')
  const video = givenVideo(scene)
  wrote(scene, 'under', HOUR_MS, { postId: video })
  const job = replyTo(scene, 'under')
  t.same(await find(scene, job), absent)
  scene.intercept((url, request) => {
    if (isReplies(url, request)) sandbox.ledger.removePost('youtube', video)
    return undefined
  })
  t.same(await find(scene, job), unknown, 'deleted between two calls')

  const lists = (...told: Parameters<typeof answer>) => {
    scene.intercept((url, request) => (isReplies(url, request) ? answer(...told) : undefined))
    return find(scene, replyTo(scene, 'thread1'))
  }
  t.same(await lists(200, { items: [{ id: 'odd' }] }), unknown, 'one that cannot be read may be it')
  t.same(await lists(200, { items: [], nextPageToken: 'again' }), unknown, 'too many pages')
  t.same(await lists(200, {}), absent)
  const own = {
    authorChannelId: { value: scene.account.externalId },
    textDisplay: 'the title of a linked video',
    textOriginal: text,
    publishedAt: isoTime(clock.now() + MINUTE_MS),
  }
  t.same(
    await lists(200, { items: [{ id: 'thread1.1', snippet: own }] }),
    { outcome: 'found', found: { replyId: 'thread1.1' } },
    'what is shown may be other words',
  )
  t.same(await lists(403, googleError('forbidden')), unknown)
  await t.rejects(lists(503, ''), failure('retryable'))
  await t.rejects(lists(403, googleError('quotaExceeded')), { ...failure('retryable'), accountRests: true })
  await t.rejects(lists(401, googleError('authError')), failure('needs-reauth'))
})

t.test('given a published video, then its first comment is made once, and found by channel and text', async (t) => {
  const scene = await givenChannel(t)
  const { io, job, sandbox } = scene
  const { firstComment } = youtube
  if (!firstComment) throw new Error('there is none')
  const postId = givenVideo(scene)
  const comment = { key: crypto.randomUUID(), text: 'Read <on> & more\nhttps://example.com ' }
  const find = () => firstComment.find(job, { postId }, comment, io)
  await fan(scene, { postId, text: comment.text })
  t.same(await find(), { outcome: 'absent' }, 'what a fan wrote is not it')
  t.equal(await firstComment.post(job, { postId }, comment, io), undefined)
  t.match(ours(scene), [{ postId, text: comment.text.trim(), inReplyTo: undefined }])
  t.same(await find(), { outcome: 'found', found: undefined })
  t.equal((await fetched(scene)).length, 1, "it is not one of the fans' comments")

  const nameless = { snippet: { authorDisplayName: '', textDisplay: comment.text, publishedAt: isoTime(0) }, id: 'c' }
  const threads = (...items: readonly object[]) => answer(200, { items })
  for (const [instead, outcome] of [
    [threads({ id: 't', snippet: { topLevelComment: nameless } }), 'unknown'],
    [threads({ id: 't', snippet: {} }), 'unknown'],
    [threads({}), 'unknown'],
    [threads(), 'absent'],
  ] as const) {
    scene.intercept((url) => (isThreads(url) ? instead : undefined))
    t.match(await find(), { outcome })
  }
  scene.intercept(undefined)

  const post = (video: string) => firstComment.post(job, { postId: video }, comment, io)
  await t.rejects(post('none'), { ...failure('retryable'), retryAfterMs: 10_000 }, 'it may not be known everywhere yet')
  const closed = { ...failure('permanent'), message: /has no comments/ }
  await t.rejects(post(withoutComments(scene, { madeForKids: true })), closed)
  await t.rejects(post(withoutComments(scene, { privacyStatus: 'private' })), closed)
  scene.fault({ kind: 'server_error', call: 'reply', accepted: true })
  await t.rejects(post(postId), failure('ambiguous'))
  t.equal(sandbox.ledger.commentsUnder('youtube', postId).length, 3)

  const options = (more: object) => ({ text: '', mediaType: 'video' as const, options: { firstComment: 'x', ...more } })
  t.match(youtube.check(options({ madeForKids: true }), undefined), [/made for kids: leave out firstComment/])
  t.match(youtube.check(options({ privacy: 'private' }), undefined), [/private videos: leave out firstComment/])
  t.same(youtube.check(options({ privacy: 'unlisted' }), undefined), [])
})

t.test('a reply has 10,000 characters at most', (t) => {
  const says = (length: number) => [`YouTube accepts comments of at most 10000 characters; this one has ${length}.`]
  t.same(conversation.check('x'.repeat(10_000)), [])
  t.same(conversation.check('x'.repeat(10_001)), says(10_001))
  t.same(conversation.check('👍'.repeat(5_000)), [])
  t.same(conversation.check('👍'.repeat(5_001)), says(10_002), 'counted so that it is never too long')
  t.same(conversation.check('<b> #tag https://a.example'), [])
  t.end()
})

t.test('the sandbox refuses what YouTube refuses of comments', async (t) => {
  const scene = await givenChannel(t)
  const { http, account, sandbox } = scene
  const top = wrote(scene, 'top', HOUR_MS)
  wrote(scene, 'top.1', MINUTE_MS, { inReplyTo: 'top' })
  const stranger = await givenAccount(http, sandbox, 'youtube')
  const foreign = wrote({ ...scene, account: stranger }, 'foreign', HOUR_MS)
  const token = account.credentials['accessToken'] ?? ''
  const call = (path: string, body?: object, authorization = `Bearer ${token}`) =>
    http.request(`${account.baseUrl}/youtube/v3/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  const reply = (snippet: object) => ({ snippet: { parentId: top, textOriginal: 'x', ...snippet } })
  const videoId = givenVideo(scene)
  const forKids = withoutComments(scene, { madeForKids: true })
  const thread = (snippet: object, textOriginal = 'x') => ({
    snippet: { channelId: account.externalId, videoId, topLevelComment: { snippet: { textOriginal } }, ...snippet },
  })
  const all = `commentThreads?part=snippet&allThreadsRelatedToChannelId=${account.externalId}`
  for (const [path, body, status, reason] of [
    ['commentThreads?part=snippet', undefined, 400, 'missingRequiredParameter'],
    ['commentThreads?id=top', undefined, 400, 'required'],
    [`${all}&id=top`, undefined, 400, 'incompatibleParameters'],
    [`${all}&maxResults=101`, undefined, 400, 'badRequest'],
    [`${all}&maxResults=0`, undefined, 400, 'badRequest'],
    [`${all}&order=newest`, undefined, 400, 'badRequest'],
    [`${all}&textFormat=markdown`, undefined, 400, 'badRequest'],
    [`${all}&pageToken=1`, undefined, 400, 'invalidPageToken'],
    ['commentThreads?part=snippet,secrets&id=top', undefined, 400, 'unknownPart'],
    ['commentThreads?part=snippet&id=top&maxResults=5', undefined, 400, 'badRequest'],
    ['commentThreads?part=snippet&allThreadsRelatedToChannelId=UCno', undefined, 404, 'channelNotFound'],
    ['comments?part=snippet', undefined, 400, 'missingRequiredParameter'],
    ['comments?part=snippet,replies&parentId=top', undefined, 400, 'unknownPart'],
    ['comments?part=snippet&parentId=none', undefined, 404, 'commentNotFound'],
    ['comments?part=snippet&parentId=top.1', undefined, 404, 'commentNotFound'],
    ['comments', reply({}), 400, 'required'],
    ['comments?part=snippet', { snippet: { textOriginal: 'x' } }, 400, 'parentIdMissing'],
    ['comments?part=snippet', { snippet: { parentId: top } }, 400, 'commentTextRequired'],
    ['comments?part=snippet', reply({ textOriginal: ' \n' }), 400, 'commentTextRequired'],
    ['comments?part=snippet', reply({ textOriginal: 'x'.repeat(10_001) }), 400, 'commentTextTooLong'],
    ['comments?part=snippet', reply({ videoId: 'x' }), 400, 'invalidCommentMetadata'],
    ['comments?part=snippet', {}, 400, 'invalidCommentMetadata'],
    ['comments?part=snippet', reply({ parentId: 'none' }), 404, 'parentCommentNotFound'],
    ['comments?part=snippet', reply({ parentId: 'top.1' }), 404, 'parentCommentNotFound'],
    ['comments?part=snippet', reply({ parentId: foreign }), 404, 'parentCommentNotFound'],
    ['commentThreads', thread({}), 400, 'required'],
    ['commentThreads?part=snippet', thread({ videoId: undefined }), 400, 'channelOrVideoIdMissing'],
    ['commentThreads?part=snippet', thread({ channelId: undefined }), 400, 'channelOrVideoIdMissing'],
    ['commentThreads?part=snippet', thread({ channelId: stranger.externalId }), 404, 'channelNotFound'],
    ['commentThreads?part=snippet', thread({ videoId: 'none' }), 404, 'videoNotFound'],
    ['commentThreads?part=snippet', thread({}, ' \n'), 400, 'commentTextRequired'],
    ['commentThreads?part=snippet', thread({}, 'x'.repeat(10_001)), 400, 'commentTextTooLong'],
    ['commentThreads?part=snippet', thread({ parentId: top }), 400, 'invalidCommentThreadMetadata'],
    ['commentThreads?part=snippet', thread({ videoId: forKids }), 403, 'commentsDisabled'],
  ] as const) {
    scene.fault({ kind: 'reject', call: 'reply' })
    const response = await call(path, body)
    t.equal(response.status, status, path)
    t.match(
      response.json(),
      { error: { code: status, errors: [{ reason }] } },
      `${path} ${JSON.stringify(body)?.slice(0, 60)}`,
    )
    t.equal(sandbox.faults.pending().length, 1, 'a fault waits for a call that is in order')
    sandbox.faults.clear()
  }
  t.match((await call(all, undefined, 'Bearer none')).json(), { error: { errors: [{ reason: 'authError' }] } })
  t.match((await call('comments?part=snippet', reply({}), '')).json(), { error: { errors: [{ reason: 'required' }] } })
  t.same(ours(scene), [])

  wrote(scene, 'marked', MINUTE_MS, { text: '<b> & "c"\nd' })
  const snippets = (body: unknown) =>
    (body as { items: readonly { snippet: { topLevelComment: { snippet: object } } }[] }).items.map(
      ({ snippet }) => snippet.topLevelComment.snippet,
    )
  const [html] = snippets((await call(all)).json())
  t.match(html, { textDisplay: '&lt;b&gt; &amp; &quot;c&quot;<br>d' }, 'marked up where nothing else is asked for')
  t.notOk(Object.hasOwn(html ?? {}, 'textOriginal'), 'for its author alone')
  const first = (await call(`${all}&maxResults=1`)).json() as { readonly nextPageToken: string }
  wrote(scene, 'newer', 0)
  t.match((await call(`${all}&maxResults=1&pageToken=${first.nextPageToken}`)).json(), { items: [{ id: 'top' }] })
})
