import fc from 'fast-check'
import t from 'tap'
import * as z from 'zod'
import { facebook } from '../platforms/facebook/index.ts'
import { instagram } from '../platforms/instagram/index.ts'
import { threads } from '../platforms/threads/index.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import {
  ANSWERS,
  DAY,
  givenConversation,
  graphError,
  json,
  META,
  OWN_ANSWERS,
  START,
  SUBJECTS,
} from './support/conversation-meta.ts'
import type { Interception } from './support/intercepting-proxy.ts'
import { refusal } from './support/meta.ts'
import { postJson } from './support/sandbox.ts'

const HOUR = 3_600_000
const texts = (comments: readonly { text: string }[]): readonly string[] => comments.map(({ text }) => text).sort()

for (const key of META) {
  const { sends, lists, limit, platform, address, ids } = SUBJECTS[key]

  t.test(
    `given comments on ${key}, when they are fetched, then they are what others wrote in the window`,
    async (t) => {
      const scene = await givenConversation(t, key)
      const { first, post, write, answer } = scene
      const old = post((60 * DAY) / 1000)
      const ancient = post((120 * DAY) / 1000)
      post()
      const top = write('Lovely bread', { ago: 600 })
      write('Is it?', { ago: 500, inReplyTo: top, author: 'second.fan' })
      write('Our own first comment', { writtenBy: 'account', author: scene.given.label })
      write('Under an old post', { under: old })
      write('Under an ancient post', { under: ancient })
      write('On the edge', { ago: (7 * DAY) / 1000 })
      write('Too early', { ago: (7 * DAY) / 1000 + 1 })
      const answered = write('When do you open?', { ago: 400 })
      answer('At seven', answered)

      const fetched = await scene.fetch()
      t.same(texts(fetched), ['Is it?', 'Lovely bread', 'On the edge', 'Under an old post', 'When do you open?'])
      t.match(
        fetched.find(({ id }) => id === top),
        { id: top, kind: 'comment', postId: first, author: 'fan.of.bread', createdAt: isoTime(START - 600_000) },
      )
      for (const one of fetched) {
        t.equal(one.replied, one.id === answered, one.text)
        t.same(one.references, {})
      }
      const reads = scene.proxy.calls.filter((call) => call === lists.slice(1)).length
      // Of Threads, a list ends with a page that is empty, or has a comment from before the window.
      t.equal(reads, key === 'threads' ? 3 : 2, 'a post without comments is not asked for them')
      t.match(await scene.fetch(START), [], 'nothing is new')
    },
  )

  t.test(`given any comments on ${key}, then all of others are fetched, as answered or not`, async (t) => {
    const one = fc.record({
      ago: fc.integer({ min: 1, max: 100 }),
      isOurs: fc.boolean(),
      to: fc.option(fc.nat(30), { nil: undefined }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(one, { maxLength: 25 }), fc.integer({ min: 1, max: 100 }), async (made, window) => {
        const scene = await givenConversation(t, key)
        const tops: string[] = []
        // In the order of their making, as the ledger of a platform has them.
        const all = made
          .toSorted((a, b) => b.ago - a.ago)
          .map(({ ago, isOurs, to }, index) => {
            const inReplyTo = to === undefined ? undefined : tops[to % (tops.length + 1)]
            const own = isOurs ? ({ writtenBy: 'account', author: scene.given.label } as const) : {}
            const id = scene.write(`Text ${index}`, { ago, ...own, ...(inReplyTo !== undefined && { inReplyTo }) })
            if (inReplyTo === undefined) tops.push(id)
            return { id, ago, isOurs, inReplyTo, index }
          })
        const expected = all
          .filter(({ isOurs, ago }) => !isOurs && ago <= window)
          .map((comment) => ({
            id: comment.id,
            replied: all.some((other) => {
              const beside = key !== 'threads' && other.inReplyTo === comment.inReplyTo && other.ago <= comment.ago
              const isReply = other.isOurs && other.inReplyTo !== undefined
              return isReply && (other.inReplyTo === comment.id || beside)
            }),
          }))
        const fetched = (await scene.fetch(START - window * 1000)).map(({ id, replied }) => ({ id, replied }))
        const byId = (a: { id: string }, b: { id: string }): number => a.id.localeCompare(b.id)
        t.same(fetched.toSorted(byId), expected.toSorted(byId))
      }),
      { numRuns: 12 },
    )
  })

  t.test(
    `given hundreds of comments on ${key}, then they come page by page, and no further than they are new`,
    async (t) => {
      const scene = await givenConversation(t, key)
      for (let n = 0; n < 300; n += 1) scene.write(`Old ${n}`, { ago: DAY / 1000 + 300 - n })
      for (let n = 0; n < 120; n += 1) scene.write(`New ${n}`, { ago: 120 - n })
      const before = scene.proxy.calls.length
      const pages = await scene.pages(START - HOUR)
      t.equal(pages.flat().length, 120)
      t.equal(new Set(pages.flat().map(({ id }) => id)).size, 120)
      t.ok(pages.length >= 2)
      const reads = scene.proxy.calls.slice(before).filter((call) => call === lists.slice(1)).length
      t.ok(reads >= 2 && reads <= 3, `${reads} pages were asked for`)
      t.equal((await scene.fetch()).length, 420, 'of a longer window all')
    },
  )

  t.test(`given posts on ${key} of which one cannot be read, then the others are`, async (t) => {
    const scene = await givenConversation(t, key)
    const others = [scene.post(), scene.post()]
    const all = [scene.first, ...others]
    for (const under of all) scene.write(`Under ${under}`, { under })
    const next = (interception: Interception): void => scene.proxy.next(`${others[0]}${lists}`, interception)
    const rest = texts(all.filter((id) => id !== others[0]).map((id) => ({ text: `Under ${id}` })))

    for (const gone of [graphError(100, 33), ...(key === 'threads' ? [graphError(24, 4279009)] : [])]) {
      next(gone)
      t.same(texts(await scene.fetch()), rest, 'it has gone')
    }
    // It may be of a field, so that Instagram is asked for fewer.
    for (let times = 0; times < (key === 'instagram' ? 3 : 1); times += 1) next(graphError(100))
    t.same(texts(await scene.fetch()), rest, 'it takes no comments')

    const failed: unknown[] = []
    const look = async (): Promise<void> => {
      for await (const page of scene.conversation.fetch(scene.account, isoTime(START - DAY), scene.io))
        failed.push(...page)
    }
    next(graphError(2, undefined, { status: 500 }))
    t.match(await refusal(look()), { kind: 'retryable', accountRests: false }, 'the failure is reported in the end')
    t.equal(failed.length, 2)
    for (const under of all) scene.proxy.next(`${under}${lists}`, { kind: 'answer', status: 502, body: '<html>' })
    const calls = scene.proxy.calls.length
    t.match(await refusal(look()), { kind: 'retryable' }, 'an outage')
    t.notOk(scene.proxy.calls.slice(calls).includes('mentions'), 'ends the look')

    for (const [answer, expected] of [
      [graphError(4), { kind: 'retryable', accountRests: true, retryAfterMs: HOUR }],
      [graphError(368), { kind: 'permanent' }],
    ] as const) {
      next(answer)
      t.match(await refusal(look()), expected)
    }
    t.equal((await scene.fetch()).length, 3, 'all of that passes')
  })

  t.test(`given comments of odd shapes on ${key}, then the others are fetched`, async (t) => {
    const scene = await givenConversation(t, key)
    scene.write('Its existence is known')
    const text = key === 'facebook' ? 'message' : 'text'
    const at = { [key === 'facebook' ? 'created_time' : 'timestamp']: '2026-03-01T09:59:00+0000' }
    const huge = 'x'.repeat(200_000)
    const data = [
      null,
      17,
      { id: 5, ...at },
      { ...at },
      { id: 'no-time' },
      { id: 'odd-time', created_time: 'soon', timestamp: 'soon' },
      { id: 'bare', ...at },
      { id: 'huge', ...at, [text]: huge, username: huge, from: { name: huge }, comments: 'none', replies: 5 },
      { id: 'null', ...at, [text]: null, username: undefined, from: undefined, hide_status: null, replied_to: null },
    ]
    scene.proxy.next(lists, json({ data }))
    const fetched = await scene.fetch()
    t.same(
      fetched.map(({ id }) => id),
      ['bare', 'huge', 'null'],
    )
    t.match(fetched[0], { text: '', author: '', createdAt: '2026-03-01T09:59:00.000Z' })
    t.match(fetched[1], { text: huge, author: huge })
    for (const body of [{ data: 'none' }, {}, [], { data: [], paging: 5 }]) {
      scene.proxy.next(lists, json(body))
      t.match(await refusal(scene.fetch()), { kind: 'retryable' }, 'no list at all')
    }
    for (const odd of [null, {}, { id: 'x', timestamp: 'soon' }]) {
      const path = { facebook: '/published_posts', instagram: '/media', threads: '/threads' }[key]
      scene.proxy.next(path, json({ data: [odd] }))
      await t.resolves(scene.fetch(), 'an odd post')
    }
  })

  t.test(`given a comment on ${key}, when it is answered, then the reply is there once, and found`, async (t) => {
    const scene = await givenConversation(t, key)
    const body = { platform: key, accountId: scene.given.externalId, postId: scene.first, text: 'Hi', author: 'fan' }
    const made = await postJson(scene.http, `${scene.sandbox.url}/_control/comments`, body)
    const { id } = z.object({ id: z.string() }).parse(made.json())
    t.match(id, ids)
    const job = scene.job(id)
    t.same(await scene.conversation.find(job, scene.io), { outcome: 'absent' })

    const sent = await scene.conversation.reply(job, scene.io)
    t.match(scene.replies(), [{ id: sent.replyId, inReplyTo: id, postId: scene.first, text: job.text }])
    t.equal(scene.replies().length, 1)
    t.match(sent.url, address)
    t.same(await scene.conversation.find(job, scene.io), { outcome: 'found', found: sent })
    t.match(await scene.fetch(), [{ id, replied: true }])

    const query = `platform=${key}&accountId=${scene.given.externalId}`
    const listed = (await scene.http.request(`${scene.sandbox.url}/_control/comments?${query}`)).json()
    t.match(listed, [{ id }, { id: sent.replyId, inReplyTo: id, writtenBy: 'account' }])
    const live = (await scene.http.request(`${scene.sandbox.url}/_control/posts?${query}`)).json()
    t.match(live, [{ id: scene.first, firstComment: undefined }])
    t.equal(z.array(z.unknown()).parse(live).length, 1, 'a reply is no post')
  })

  t.test(`given each response of ${platform.key} to a reply, then it has its own outcome`, async (t) => {
    const scene = await givenConversation(t, key, { without: 'userToken' })
    const job = scene.job(scene.write('Hi'))
    for (const [answer, kind] of [...ANSWERS, ...OWN_ANSWERS[key]]) {
      const what = JSON.stringify(answer)
      // Where another process may have renewed a dead token it is tried once more. A new one would not help a person who has to
      // confirm who they are (459).
      const isDead = /"code\\":(190|102)\b/.test(what) && !/subcode\\":459/.test(what)
      const times = key !== 'facebook' && isDead ? 2 : 1
      for (let time = 0; time < times; time += 1) scene.proxy.next(sends, answer)
      const error = await refusal(scene.conversation.reply(job, scene.io))
      t.equal(error.kind, kind, what)
      t.notMatch(error.message, /\n/)
      const token = (await scene.credentials.read())['accessToken'] ?? 'none'
      t.notOk(error.message.includes(token))
    }
    t.same(scene.replies(), [])
    await scene.conversation.reply(job, scene.io)
    t.equal(scene.replies().length, 1, 'nothing is left of them')
  })

  t.test(`given a limit on ${key}, then the account rests`, async (t) => {
    const scene = await givenConversation(t, key)
    const job = scene.job(scene.write('Hi'))
    scene.fault({ kind: 'rate_limit', retryAfterSeconds: 120 })
    const error = await refusal(scene.conversation.reply(job, scene.io))
    t.match(error, { kind: 'retryable', accountRests: true, retryAfterMs: 120_000 })
    scene.fault({ kind: 'reject' })
    t.match(await refusal(scene.conversation.reply(job, scene.io)), { kind: 'permanent', message: /policies/ })
    t.same(scene.replies(), [])
    t.same(scene.sandbox.faults.pending(), [])
  })

  t.test(
    `given a reply on ${key} whose answer was lost, when it is looked for, then there is one or none`,
    async (t) => {
      const scene = await givenConversation(t, key)
      const { conversation, io } = scene
      let count = 0
      for (const [script, isThere] of [
        [{ kind: 'accept_then_timeout' }, true],
        [{ kind: 'server_error', accepted: true }, true],
        [{ kind: 'server_error' }, false],
      ] as const) {
        const job = scene.job(scene.write('Hi'))
        scene.fault(script)
        t.match(await refusal(conversation.reply(job, io)), { kind: 'ambiguous' })
        count += isThere ? 1 : 0
        t.equal(scene.replies().length, count)
        const replyId = scene.replies().at(-1)?.id
        const expected = isThere ? { outcome: 'found', found: { replyId } } : { outcome: 'absent' }
        t.match(await conversation.find(job, io), expected)
        t.equal(scene.replies().length, count)
      }
      const job = scene.job(scene.write('Hi'))
      scene.proxy.next(sends, { kind: 'lose-answer' })
      t.match(await refusal(conversation.reply(job, io)), { kind: 'ambiguous' })
      t.match(await conversation.find(job, io), { outcome: 'found', found: { replyId: scene.replies().at(-1)?.id } })
    },
  )

  t.test(`given other replies on ${key}, then none is taken for the one that is looked for`, async (t) => {
    const scene = await givenConversation(t, key)
    const { conversation, io, answer, write } = scene
    const find = (id: string, text?: string) => conversation.find(scene.job(id, text), io)
    const [one, two] = [write('One'), write('Two')]
    answer('Same words', two, { ago: 10 })
    answer('Other words', one, { ago: 10 })
    answer('Same words', one, { ago: 3_600 })
    write('Same words', { inReplyTo: one, ago: 10 })
    t.same(await find(one, 'Same words'), { outcome: 'absent' }, 'elsewhere, otherwise, earlier, or by another')

    const mine = answer('Same words', one, { ago: 5 })
    t.match(await find(one, 'Same words'), { outcome: 'found', found: { replyId: mine } })
    for (const [sent, shown] of [
      ['  Two\r\nlines  ', 'Two\nlines'],
      ['Cafe\u0301 \u200bopen', 'Café open'],
      ['Heart ❤️', 'Heart ❤'],
      ['a  b', 'a b'],
    ] as const) {
      const replyId = answer(shown, one, { ago: 5 })
      t.match(await find(one, sent), { outcome: 'found', found: { replyId } }, 'Meta may space it otherwise')
    }
    answer('Same words', one, { ago: 4 })
    t.same(await find(one, 'Same words'), { outcome: 'unknown' }, 'either of two could be it')
    for (let n = 0; n < 130; n += 1) answer(`Later ${n}`, one, { ago: 1 })
    t.match(await find(one, 'Two\nlines'), { outcome: 'found' }, 'pages later')
    t.same(await find(one, 'Never sent'), { outcome: 'absent' })
  })

  t.test(`given a search on ${key} that fails, then the error says so`, async (t) => {
    const scene = await givenConversation(t, key)
    const job = scene.job(scene.write('Hi'))
    const path = key === 'facebook' ? '/comments' : '/replies'
    for (const [answer, expected] of [
      [graphError(2, undefined, { status: 500 }), { kind: 'retryable', accountRests: false }],
      [graphError(100, 33), { kind: 'retryable' }],
      [graphError(4), { kind: 'retryable', accountRests: true }],
      [json({ data: [{ id: 'no time' }] }), { kind: 'retryable' }],
      [graphError(368), { kind: 'permanent' }],
    ] as const) {
      scene.proxy.next(path, answer)
      t.match(await refusal(scene.conversation.find(job, scene.io)), expected)
    }
    if (key === 'threads') return
    for (const _ of [1, 2]) {
      scene.proxy.next(path, json({ data: [], paging: { next: 'https://x.example', cursors: { after: 'x' } } }))
    }
    t.match(await refusal(scene.conversation.find(job, scene.io)), { kind: 'retryable' }, 'it goes in circles')
    scene.proxy.next(path, json({ data: [], paging: { next: 'https://x.example' } }))
    t.match(await refusal(scene.conversation.find(job, scene.io)), { kind: 'retryable' }, 'it does not go on')
    scene.proxy.next(job.commentId, graphError(100, 33))
    t.match(await refusal(scene.conversation.find(job, scene.io)), { kind: 'retryable' }, 'the comment was deleted')
    scene.proxy.next(job.commentId, graphError(100, 33))
    t.match(await refusal(scene.conversation.reply(job, scene.io)), { kind: 'retryable' })
    t.same(scene.replies(), [])
  })

  t.test(
    `given a token on ${key} that ends, then it is renewed where it can be, for reading and for answering`,
    async (t) => {
      const scene = await givenConversation(t, key)
      const { clock, conversation, io, credentials } = scene
      const id = scene.write('Hi')
      await clock.advanceTo(START + 55 * DAY)
      const before = (await credentials.read())['accessToken']
      if (key === 'facebook') scene.fault({ kind: 'token_expired' })
      await conversation.reply(scene.job(id), io)
      t.not((await credentials.read())['accessToken'], before)
      t.equal(scene.replies().length, 1)
      t.match(await scene.fetch(), [{ id, replied: true }])

      const alone = await givenConversation(t, key, { without: 'userToken' })
      const job = alone.job(alone.write('Hi'))
      alone.fault({ kind: 'token_expired' })
      t.match(await refusal(alone.conversation.reply(job, alone.io)), { kind: 'needs-reauth' })
      t.match(await refusal(alone.fetch()), { kind: 'needs-reauth' })
      t.match(await refusal(alone.conversation.find(job, alone.io)), { kind: 'needs-reauth' })
      t.same(alone.replies(), [])
    },
  )

  t.test(`given a text for ${key}, then it is as long as ${limit} characters, and no longer`, async (t) => {
    const { conversation } = platform
    t.same(conversation?.check('x'.repeat(limit)), [])
    const [broken, ...more] = conversation?.check('x'.repeat(limit + 1)) ?? []
    t.match(broken, new RegExp(`${limit} characters.* this one has ${limit + 1}\\.$`))
    t.same(more, [])
    t.same(conversation?.requires, [])
    t.equal(conversation?.proof, 'searchable')
  })
}

t.test('given texts of emoji and links, then each platform counts as it does for posts', async (t) => {
  t.equal(facebook.conversation?.check('🥖'.repeat(4_001)).length, 1)
  t.same(instagram.conversation?.check('🥖'.repeat(2_200)), [])
  t.same(threads.conversation?.check('🥖'.repeat(125)), [])
  t.equal(threads.conversation?.check('🥖'.repeat(126)).length, 1)
  const links = Array.from({ length: 6 }, (_, n) => `https://example.com/${n}`).join(' ')
  t.match(threads.conversation?.check(links), [/at most 5 different links; this text has 6/])
})

for (const key of ['facebook', 'threads'] as const) {
  t.test(`given what names the account elsewhere on ${key}, then it is a mention, and can be answered`, async (t) => {
    const scene = await givenConversation(t, key)
    const { conversation, io } = scene
    const made = { platform: key, accountId: scene.given.externalId, text: 'Best bread: @acme', author: 'fan' }
    const response = await postJson(scene.http, `${scene.sandbox.url}/_control/comments`, made)
    const { id } = z.object({ id: z.string() }).parse(response.json())
    for (let n = 0; n < 130; n += 1) scene.write(`Mention ${n}`, { under: null })
    scene.write('Long ago', { under: null, ago: (8 * DAY) / 1000 })
    const fetched = await scene.fetch()
    t.equal(fetched.length, 131)
    t.match(
      fetched.find((one) => one.id === id),
      { kind: 'mention', postId: undefined, text: made.text, author: 'fan' },
    )
    const job = scene.job(id)
    const sent = await conversation.reply(job, io)
    t.match(scene.replies(), [{ id: sent.replyId, inReplyTo: id, postId: undefined }])
    t.same(await conversation.find(job, io), { outcome: 'found', found: sent })

    const path = key === 'facebook' ? '/tagged' : '/mentions'
    scene.write('A comment')
    for (const answer of [graphError(10), graphError(200), graphError(100)]) {
      scene.proxy.next(path, answer)
      t.same(texts(await scene.fetch()), ['A comment'], 'without the permission for it comments are read all the same')
    }
    scene.proxy.next(path, graphError(4))
    t.match(await refusal(scene.fetch()), { accountRests: true })
  })
}

t.test('given a thread on Facebook', async (t) => {
  const scene = await givenConversation(t, 'facebook')
  const { conversation, io, write, answer, proxy } = scene
  const top = write('Top', { ago: 5_000 })

  await t.test('when it has more replies than come with it, then all are fetched', async (t) => {
    for (let n = 0; n < 70; n += 1) write(`Reply ${n}`, { inReplyTo: top, ago: 1_000 - n })
    t.equal((await scene.fetch(START - HOUR)).length, 70, 'though it began earlier')
    t.equal((await scene.fetch()).length, 71)
    t.ok((await scene.fetch()).every(({ replied }) => replied === false))
  })

  await t.test('when a reply is answered, then beside it, and the later ones are not', async (t) => {
    const reply = write('Who bakes it?', { inReplyTo: top, ago: 100 })
    const sent = await conversation.reply(scene.job(reply), io)
    t.match(scene.replies(), [{ id: sent.replyId, inReplyTo: top }])
    t.match(await conversation.find(scene.job(reply), io), { outcome: 'found', found: sent })
    const later = write('And when?', { inReplyTo: top, ago: -1 })
    const fetched = await scene.fetch(START - HOUR)
    t.equal(fetched.find(({ id }) => id === reply)?.replied, true)
    t.equal(fetched.find(({ id }) => id === later)?.replied, false)
  })

  await t.test('when it is three deep, then what answers stands below', async (t) => {
    const created_time = '2026-03-01T09:00:00+0000'
    const by = (id: string) => ({ created_time, from: { id } })
    const third = {
      data: [
        { id: '3', ...by('17') },
        { id: '4', ...by(scene.given.externalId) },
      ],
    }
    const second = {
      data: [
        { id: '2', ...by('16'), comments: third },
        { id: '5', ...by('18') },
      ],
    }
    proxy.next('/comments', json({ data: [{ id: '1', ...by('15'), comments: second }] }))
    const fetched = (await scene.fetch()).map(({ id, replied }) => [id, replied])
    t.same(fetched, [
      ['1', false],
      ['2', true],
      ['3', true],
      ['5', false],
    ])
  })

  await t.test('when the author is unknown, then the comment has no name, and a search is inconclusive', async (t) => {
    const created_time = '2026-03-01T09:59:59+0000'
    const data = [
      { id: '1', message: 'Hidden', created_time },
      { id: '2', message: 'Spam', created_time, is_hidden: true },
    ]
    proxy.next('/comments', json({ data }))
    t.match(await scene.fetch(), [{ id: '1', author: '', authorId: undefined }])
    const other = write('Other')
    proxy.next('/comments', json({ data }))
    t.same(await conversation.find(scene.job(other, 'Hidden'), io), { outcome: 'unknown' })
  })

  await t.test('when the Page may not moderate, then nothing is shown, and a search cannot tell', async (t) => {
    const blind = await givenConversation(t, 'facebook', { label: 'analyst' })
    const id = blind.write('Hi')
    t.same(await blind.fetch(), [])
    const job = blind.job(id)
    await blind.conversation.reply(job, blind.io)
    t.same(await blind.conversation.find(job, blind.io), { outcome: 'unknown' })
  })

  await t.test('when its address cannot be read, then the reply is sent all the same', async (t) => {
    const sent = scene.replies().length
    const id = write('Hi')
    answer('Before', id, { ago: 3_600 })
    proxy.next(id, json({ id, parent: undefined }))
    const { replyId, url } = await conversation.reply(scene.job(id), io)
    t.match(url, /comment_id=/)
    t.equal(scene.replies().length, sent + 2)
    t.equal(scene.replies().at(-1)?.id, replyId)
  })
})

t.test('given reels on Facebook, then those that are no posts are read too, and no comment twice', async (t) => {
  const scene = await givenConversation(t, 'facebook')
  const reel = (isUnlisted: boolean, takesComments: 'post' | 'video' = 'post') =>
    scene.post(1_000, { mediaType: 'video', details: { listedFrom: 0, takesComments, isReel: true, isUnlisted } })
  const posts = [reel(false), reel(true), reel(true, 'video')]
  for (const under of posts) scene.write(`Under ${under}`, { under })
  const fetched = await scene.fetch()
  t.same(fetched.map(({ postId }) => postId).sort(), posts.toSorted())
  t.equal(scene.proxy.calls.filter((call) => call === 'comments').length, 3)
  for (const answer of [graphError(100), graphError(10)]) {
    scene.proxy.next('/video_reels', answer)
    t.equal((await scene.fetch()).length, 1, 'where they cannot be listed, then the posts')
  }
})

t.test('given a thread on Instagram', async (t) => {
  const scene = await givenConversation(t, 'instagram')
  const { conversation, io, write, answer, proxy } = scene
  const top = write('Top', { ago: 5_000 })
  const ann = write('Who bakes it?', { inReplyTo: top, ago: 400, author: 'ann' })
  const bob = write('And when?', { inReplyTo: top, ago: 300, author: 'bob' })
  const repliedTo = async (id: string) => (await scene.fetch()).find((one) => one.id === id)?.replied

  await t.test('when a reply is answered, then beside it, by its name, and that one is', async (t) => {
    const job = scene.job(bob)
    await conversation.reply(job, io)
    t.match(scene.replies(), [{ inReplyTo: top, text: `@bob ${job.text}` }])
    t.match(await conversation.find(job, io), { outcome: 'found', found: { replyId: scene.replies()[0]?.id } })
    t.same([await repliedTo(ann), await repliedTo(bob), await repliedTo(top)], [false, true, false])
    const named = scene.job(ann, '@Ann, our Joe')
    await conversation.reply(named, io)
    t.match(scene.replies()[1], { text: '@Ann, our Joe' }, 'a name is not said twice')
    t.same([await repliedTo(ann), await repliedTo(top)], [true, false])
    answer('Thanks, all', top)
    t.equal(await repliedTo(top), true)
    const long = scene.job(bob, 'x'.repeat(2_199))
    await conversation.reply(long, io)
    t.equal(scene.replies().at(-1)?.text, long.text, 'the name goes before the text does')
    t.match(await conversation.find(long, io), { outcome: 'found' })
  })

  await t.test('when it has more replies than come with it, then all are fetched', async (t) => {
    for (let n = 0; n < 70; n += 1) write(`Reply ${n}`, { inReplyTo: top, ago: 200 })
    t.equal((await scene.fetch(START - 250_000)).length, 70)
    for (const error of [graphError(100), graphError(10)]) {
      proxy.next(`${top}/replies`, error)
      t.equal((await scene.fetch(START - 250_000)).length, 70, 'also with fewer fields')
    }
  })

  await t.test('when one field may not be read, then the comments are read without it', async (t) => {
    const other = scene.post()
    write('Elsewhere', { under: other })
    const lists = () => proxy.calls.filter((call) => call === 'comments').length
    for (const [refusals, replied] of [
      [[graphError(100)], false],
      [[graphError(10), graphError(100)], undefined],
    ] as const) {
      for (const error of refusals) proxy.next('/comments', error)
      const before = lists()
      const fetched = await scene.fetch()
      t.equal(fetched.find(({ text }) => text === 'Elsewhere')?.replied, replied)
      t.equal(lists() - before, 2 + refusals.length)
      const isTold = fetched.every((one) => (one.replied === undefined) === (replied === undefined))
      t.ok(isTold, 'what was refused once is not asked for again')
    }
    for (let times = 0; times < 3; times += 1) proxy.next('/comments', graphError(10))
    t.match(await refusal(scene.fetch()), { kind: 'forbidden' }, 'none of them')
    proxy.next('/replies', graphError(10))
    t.same(await conversation.find(scene.job(ann, 'Never sent'), io), { outcome: 'absent' })
  })

  await t.test('when a comment is hidden, then it is not fetched; it cannot be answered', async (t) => {
    const hidden = write('Spam', { details: { hidden: true } })
    t.notOk((await scene.fetch()).some(({ id }) => id === hidden))
    t.match(await refusal(conversation.reply(scene.job(hidden), io)), { kind: 'permanent' })
  })

  await t.test('when the author is unknown, then a search is inconclusive', async (t) => {
    const data = [{ id: '1', text: 'Hidden', timestamp: '2026-03-01T09:59:59+0000' }]
    proxy.next('/replies', json({ data }))
    t.same(await conversation.find(scene.job(top, 'Hidden'), io), { outcome: 'unknown' })
  })

  await t.test('when someone mentions the account elsewhere, then that is not fetched', async (t) => {
    const mention = write('Best bread: @acme', { under: null })
    t.notOk((await scene.fetch()).some(({ id }) => id === mention))
  })
})

t.test('given posts on Instagram with comments', async (t) => {
  const scene = await givenConversation(t, 'instagram')
  const { write, proxy } = scene
  const posts = [scene.first, scene.post()]
  for (const under of posts) write(`Under ${under}`, { under })
  const hide = (...hidden: readonly string[]) => {
    for (const under of hidden) proxy.next(`${under}/comments`, json({ data: [] }))
  }

  await t.test('when one of them lists none, then the others are fetched', async (t) => {
    for (const hidden of posts) {
      hide(hidden)
      t.equal((await scene.fetch()).length, 1)
    }
  })

  await t.test('when none of them lists any, then the app lacks the access', async (t) => {
    hide(...posts)
    t.match(await refusal(scene.fetch()), { kind: 'forbidden', limit: 'app_not_approved', message: /lists none/ })
    t.equal((await scene.fetch()).length, 2)
  })

  await t.test('when only those of the account are listed, then that shows no access', async (t) => {
    hide(posts[0] ?? '')
    const ours = { id: '1', text: 'Ours', timestamp: '2026-03-01T09:59:59+0000', username: 'acme.bakery' }
    proxy.next(`${posts[1]}/comments`, json({ data: [ours] }))
    t.match(await refusal(scene.fetch()), { kind: 'forbidden', limit: 'app_not_approved' })
  })

  await t.test('when some cannot be read, or their number is unknown, then that shows nothing', async (t) => {
    for (const under of posts) proxy.next(`${under}/comments`, graphError(100, 33))
    t.same(await scene.fetch(), [])
    const data = posts.map((id) => ({ id, timestamp: '2026-03-01T09:00:00+0000' }))
    proxy.next('/media', json({ data }))
    hide(...posts)
    t.same(await scene.fetch(), [])
  })
})

t.test('given a conversation on Threads', async (t) => {
  const scene = await givenConversation(t, 'threads')
  const { conversation, io, write, proxy } = scene
  const top = write('Top', { ago: 500 })
  const below = write('Below', { inReplyTo: top, ago: 400 })
  const deep = write('Deep', { inReplyTo: below, ago: 300 })

  await t.test('when what is deepest is answered, then there, and nothing else is', async (t) => {
    await conversation.reply(scene.job(deep), io)
    t.match(scene.replies(), [{ inReplyTo: deep, postId: scene.first }])
    const replied = new Map((await scene.fetch()).map((one) => [one.id, one.replied]))
    t.same([replied.get(top), replied.get(below), replied.get(deep)], [false, false, true])
  })

  await t.test('when replies are hidden, then they are not fetched', async (t) => {
    for (const hideStatus of ['HIDDEN', 'COVERED', 'BLOCKED', 'RESTRICTED']) write('Spam', { details: { hideStatus } })
    write('Let in', { details: { hideStatus: 'UNHUSHED' } })
    t.same(texts(await scene.fetch()), ['Below', 'Deep', 'Let in', 'Top'])
  })

  await t.test('when what names the account is under its own post or its own, then it is no mention', async (t) => {
    const timestamp = '2026-03-01T09:59:00+0000'
    const data = [
      { id: '1', timestamp, username: 'fan', root_post: { id: scene.first } },
      { id: '2', timestamp, username: 'Acme.Bakery' },
      { id: scene.first, timestamp, username: 'fan' },
      { id: '3', timestamp, username: 'fan', root_post: { id: '4' } },
    ]
    proxy.next('/mentions', json({ data }))
    t.same(
      (await scene.fetch()).filter(({ kind }) => kind === 'mention').map(({ id }) => id),
      ['3'],
    )
  })

  await t.test('when the container fails, then nothing is sent, or another one', async (t) => {
    const sent = scene.replies().length
    const container = (body: object) => {
      proxy.next('/threads', json({ id: '90000000000000001' }))
      proxy.next('90000000000000001', json({ id: '1', ...body }))
    }
    container({ status: 'ERROR', error_message: 'INVALID_DURATION' })
    t.equal((await refusal(conversation.reply(scene.job(top), io))).kind, 'permanent')
    proxy.next('/threads', graphError(2, undefined, { status: 500 }))
    t.equal((await refusal(conversation.reply(scene.job(top), io))).kind, 'retryable', 'a container is never seen')
    proxy.next('/threads', graphError(24, 4279009))
    t.equal((await refusal(conversation.reply(scene.job(top), io))).kind, 'permanent', 'the comment was deleted')
    container({ status: 'PUBLISHED' })
    t.ok((await conversation.reply(scene.job(top), io)).replyId)
    t.equal(scene.replies().length, sent, 'what is out is not sent again')
    container({ status: 'ERROR', error_message: 'UNKNOWN' })
    await conversation.reply(scene.job(top, 'Another container'), io)
    container({ status: 'IN_PROGRESS' })
    for (let look = 0; look < 5; look += 1) proxy.next('90000000000000001', graphError(24, 4279009))
    await conversation.reply(scene.job(top, 'Another one'), io)
    t.match(scene.replies().slice(sent), [{ text: 'Another container' }, { text: 'Another one' }])
    t.equal(scene.replies().length, sent + 2)
  })

  await t.test(
    'when a reply is not allowed, then the error says whether a permission is missing or the place is wrong',
    async (t) => {
      const refused = (): void => proxy.next('/threads', graphError(10))
      refused()
      t.match(await refusal(conversation.reply(scene.job(top), io)), { kind: 'forbidden' })
      const elsewhere = write('Best bread', { under: null })
      refused()
      t.match(await refusal(conversation.reply(scene.job(elsewhere), io)), { kind: 'permanent', message: /own posts/ })
      refused()
      proxy.next('/me', graphError(2))
      t.match(
        await refusal(conversation.reply(scene.job(elsewhere), io)),
        { kind: 'forbidden' },
        'the outcome is unknown',
      )
    },
  )

  await t.test('when the day is used up, then the reply waits, and the account does not', async (t) => {
    const full = { data: [{ reply_quota_usage: 1_000, reply_config: { quota_total: 1_000, quota_duration: 86_400 } }] }
    proxy.next('/threads_publishing_limit', json(full))
    const error = await refusal(conversation.reply(scene.job(top), io))
    t.match(error, { kind: 'retryable', accountRests: false, retryAfterMs: HOUR, message: /1000 of 1000/ })
    const sent = scene.replies().length
    proxy.next('/threads_publishing_limit', graphError(2))
    await conversation.reply(scene.job(top), io)
    t.equal(scene.replies().length, sent + 1, 'an unknown outcome does not prevent it')
  })

  await t.test('when replies may not be read, then a search that is shown nothing cannot tell', async (t) => {
    const blind = await givenConversation(t, 'threads', { label: 'unread' })
    const job = blind.job(blind.write('Hi'))
    t.same(await blind.fetch(), [])
    t.same(await blind.conversation.find(job, blind.io), { outcome: 'absent' }, 'no reply has counted today')
    await blind.conversation.reply(job, blind.io)
    t.same(await blind.conversation.find(job, blind.io), { outcome: 'unknown' })
  })
})

t.test('given requests that Meta refuses, then the stand-ins do', async (t) => {
  const scenes = {
    facebook: await givenConversation(t, 'facebook'),
    instagram: await givenConversation(t, 'instagram'),
    threads: await givenConversation(t, 'threads'),
  }
  const call = async (key: keyof typeof scenes, path: string, form?: Record<string, string>) => {
    const { http, given } = scenes[key]
    const authorization = `Bearer ${given.credentials['accessToken']}`
    const response = await http.request(`${given.baseUrl}${path}`, {
      method: form ? 'POST' : 'GET',
      headers: { authorization, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) },
      ...(form && { body: new URLSearchParams(form).toString() }),
    })
    return { status: response.status, body: response.json() }
  }
  const tops = { facebook: '', instagram: '', threads: '' }
  const replies = { ...tops }
  for (const key of META) {
    tops[key] = scenes[key].write('Top')
    replies[key] = scenes[key].write('Reply', { inReplyTo: tops[key] })
  }
  const message = 'Hi'
  const { facebook: page, instagram: user, threads: profile } = scenes
  const ofProfile = `/v1.0/${profile.given.externalId}`
  const text = { media_type: 'TEXT', text: 'Hi', reply_to_id: tops.threads }
  for (const [request, code] of [
    [call('facebook', `/v26.0/${replies.facebook}/comments`, { message }), 100],
    [call('facebook', `/v26.0/${tops.facebook}/comments`, { message: ' ' }), 100],
    [call('facebook', `/v26.0/${tops.facebook}/comments`, { message, text: 'Hi' }), 100],
    [call('facebook', `/v26.0/${tops.facebook}/replies`, { message }), 2500],
    [call('facebook', '/v26.0/1_1/comments', { message }), 100],
    [call('facebook', `/v26.0/${page.first}/comments?fields=id,text`), 100],
    [call('facebook', `/v26.0/${page.first}/comments?fields=id,comments{id`), 2500],
    [call('facebook', `/v26.0/${page.first}/comments?fields=id,,message`), 2500],
    [call('facebook', `/v26.0/${page.first}/comments?fields=comments.limit(5000){id}`), 100],
    [call('facebook', '/v26.0/1/tagged'), 100],
    [call('instagram', `/v26.0/${replies.instagram}/replies`, { message }), 100],
    [call('instagram', `/v26.0/${tops.instagram}/replies`, {}), 100],
    [call('instagram', `/v26.0/${tops.instagram}/comments`, { message }), 100],
    [call('instagram', `/v26.0/${user.first}/comments?limit=51`), 100],
    [call('instagram', `/v26.0/${user.first}/comments?since=5`), 100],
    [call('instagram', `/v26.0/${user.write('Elsewhere', { under: null })}/replies`, { message }), 100],
    [call('threads', `${ofProfile}/threads`, { media_type: 'TEXT', text: ' ' }), 100],
    [call('threads', `${ofProfile}/threads`, { ...text, text: 'x'.repeat(501) }), 100],
    [call('threads', `${ofProfile}/threads`, { ...text, reply_to_id: '9' }), 24],
    [call('threads', `/v1.0/${tops.threads}/conversation`), 24],
    [call('threads', `${ofProfile}/mentions?since=5`), 100],
    [call('threads', '/v1.0/12345/replies'), 10],
  ] as const) {
    const { status, body } = await request
    t.ok(status >= 400)
    t.match(body, { error: { code } })
  }
  const told = await call('instagram', `/v26.0/${tops.instagram}/replies`, { message, fields: 'id' })
  t.match(told, { body: { error: { code: 20, error_subcode: 1772107 } } })
  t.equal(user.replies().length, 1, 'and yet it is made')
  for (const scene of [page, profile]) t.same(scene.replies(), [])

  const { body } = await call('threads', `${ofProfile}/threads`, text)
  const { id: creation_id } = z.object({ id: z.string() }).parse(body)
  const publish = () => call('threads', `${ofProfile}/threads_publish`, { creation_id })
  t.match(await publish(), { body: { error: { code: 24, error_subcode: 4279009 } } }, 'too early')
  for (const status of ['IN_PROGRESS', 'FINISHED']) {
    t.match(await call('threads', `/v1.0/${creation_id}?fields=status`), { body: { status } })
  }
  for (const _ of [1, 2]) t.match(await publish(), { status: 200 })
  t.equal(profile.replies().length, 2, 'the same container published twice shows')
  t.match(await call('threads', `/v1.0/${creation_id}?fields=status`), { body: { status: 'PUBLISHED' } })
  const limits = await call('threads', `${ofProfile}/threads_publishing_limit?fields=reply_quota_usage`)
  t.match(limits, { body: { data: [{ reply_quota_usage: 2 }] } })
})
