import t, { type Test } from 'tap'
import { START } from '../event-log/event-log.ts'
import type { TextModel } from '../infra/ai/text.ts'
import { handle, load } from '../commands/handle.ts'
import { regenerateDraft } from '../commands/reply.ts'
import { requestCommentsCheck } from '../commands/request-comments-check.ts'
import { account as domainAccount } from '../domain/account/account.ts'
import { CONVERSATION_PLATFORMS } from '../domain/core/platform.ts'
import { reply } from '../domain/conversation/reply.ts'
import type { Conversation } from '../platforms/kit/conversation.ts'
import { platforms } from '../platforms/registry.ts'
import { connectedAccounts } from '../projections/models/accounts.ts'
import { listComments } from '../projections/models/comments.ts'
import { projections } from '../projections/models/index.ts'
import { findPost } from '../projections/models/posts.ts'
import { listReplies } from '../projections/models/replies.ts'
import { resetTables } from '../projections/engine/tables.ts'
import { lookAt, nextInterval, paceOf } from '../reactors/conversations/comment-pace.ts'
import { readUntilCaughtUp } from './support/event-log-helpers.ts'
import { givenInbox, MINUTE, pass, PACE } from './support/comments.ts'
import { fused } from './support/fuse.ts'
import { writtenText } from './support/text-model.ts'
import { causedBy, givenProcess, givenWorld, type World } from './support/world.ts'

const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const fetched = (world: World) =>
  listComments(world.db, {
    workspaceId: world.workspaceId,
    since: '2000-01-01T00:00:00Z',
    limit: 100,
    after: undefined,
  })
const inbox = (world: World) =>
  listReplies(world.db, {
    ...{ workspaceId: world.workspaceId, limit: 100, after: undefined },
    statuses: ['pending', 'sending', 'sent', 'rejected', 'failed'],
  })

/** How often each comment was recorded. */
async function receivedEvents({ db }: World): Promise<number> {
  const { rows } = await db.query<{ count: string }>(`select count(*) from log.events where type = 'CommentReceived'`)
  return Number(rows[0]?.count)
}

async function given(t: Test, parts: Parameters<typeof givenProcess>[1] = {}) {
  const world = await givenWorld(t)
  const service = await givenProcess(world, { pace: PACE, ...parts })
  const bluesky = await givenInbox(world, 'bluesky', service)
  return { world, service, inbox: bluesky }
}

t.test('the platforms whose comments are read are those that the contract names', (t) => {
  const connected = Object.values(platforms).filter(({ conversation }) => conversation)
  t.same(connected.map(({ key }) => key).toSorted(), [...CONVERSATION_PLATFORMS].toSorted())
  for (const { key, conversation } of connected) {
    t.ok(conversation?.find, `a reply on ${key} can be looked for without sending it`)
  }
  t.end()
})

t.test('given an account that is written to', async (t) => {
  const { world, service, inbox: account } = await given(t)

  await t.test('when it is checked, then each comment is recorded once, ever', async (t) => {
    await account.comment('The first')
    await account.comment('The second', 'Bob')
    await pass(world, service, 3 * HOUR)
    const rows = await fetched(world)
    t.same(rows.map(({ text }) => text).toSorted(), ['The first', 'The second'])
    t.match(
      rows.find(({ text }) => text === 'The second'),
      { platform: 'bluesky', accountId: account.accountId, postId: account.postId, replied: false, kind: 'comment' },
    )
    t.equal(await receivedEvents(world), 2)
  })

  await t.test('when the read models are rebuilt, then none is recorded again', async (t) => {
    await resetTables(world.db, projections)
    await pass(world, service, 2 * HOUR)
    t.equal(await receivedEvents(world), 2)
    t.equal((await fetched(world)).length, 2)
  })

  await t.test('when it is busy, then it is checked more often; when it is quiet, less', (t) => {
    const after = (intervalMs: number, isBusy: boolean, pace = PACE, now = intervalMs) =>
      nextInterval({ checkedAt: 0, sweptAt: 0, intervalMs }, { isBusy, now }, pace)
    t.equal(after(30 * MINUTE, true), 15 * MINUTE)
    t.equal(after(3 * MINUTE, true), 2 * MINUTE)
    t.equal(after(10 * MINUTE, false), 15 * MINUTE)
    t.equal(after(20 * MINUTE, false), 30 * MINUTE)
    t.equal(after(10 * MINUTE, false, PACE, 9 * MINUTE), 10 * MINUTE, 'a check was requested before its time')
    t.equal(after(2 * MINUTE, true, { leastMs: HOUR, mostMs: 30 * MINUTE }), HOUR, 'a quota goes first')
    t.equal(nextInterval(undefined, { isBusy: false, now: 0 }, PACE), 3 * MINUTE)
    t.end()
  })

  await t.test('when a check is requested, then it is due by that or by its pace, whichever is sooner', (t) => {
    const last = { checkedAt: 95 * MINUTE, sweptAt: 0, intervalMs: 10 * MINUTE }
    const cases: readonly [string, number, number, typeof last | undefined][] = [
      ['never looked at', 90 * MINUTE, 90 * MINUTE, undefined],
      ['wanted before the last look', 94 * MINUTE, 105 * MINUTE, last],
      ['wanted since', 96 * MINUTE, 96 * MINUTE, last],
      ['wanted at that moment', 95 * MINUTE, 95 * MINUTE, last],
      ['wanted in a minute', 101 * MINUTE, 101 * MINUTE, last],
      ['wanted later than it is due', 110 * MINUTE, 105 * MINUTE, last],
    ]
    for (const [name, wantedAt, due, check] of cases) t.equal(lookAt(wantedAt, check), due, name)
    t.end()
  })

  await t.test('when the platform is down, then it is checked again, and nothing is lost', async (t) => {
    await account.comment('While away')
    const http: World['http'] = { ...world.http, request: () => Promise.reject(new Error('away')) }
    const blind = await givenProcess(world, { pace: PACE, http })
    await pass(world, blind, HOUR)
    t.notOk((await fetched(world)).some(({ text }) => text === 'While away'))
    const shown = async () => (await connectedAccounts(world.db, world.workspaceId))[0]
    t.match(await shown(), { commentsError: /\w/, needsReauth: null, restsUntil: null }, 'it is shown')
    await pass(world, service, HOUR)
    t.ok((await fetched(world)).some(({ text }) => text === 'While away'))
    t.match(await shown(), { commentsError: null })
  })

  await t.test('when comments are older than 7 days, then they are not looked for', async (t) => {
    await account.comment('Old by then')
    const before = await receivedEvents(world)
    await world.clock.advanceTo(world.clock.now() + 8 * DAY)
    await pass(world, service, HOUR)
    t.equal(await receivedEvents(world), before)
  })
})

t.test('given an account of the sandbox, when it is written to, then that is seen within 15 seconds', async (t) => {
  const url = 'http://127.0.0.1:3001'
  const usual = { leastMs: 30 * MINUTE, mostMs: 30 * MINUTE }
  const of = (baseUrl?: string) => paceOf(PACE, url)(baseUrl === undefined ? {} : { baseUrl }, 30 * MINUTE)
  for (const elsewhere of [
    undefined,
    'https://example.com',
    'http://127.0.0.1:30010',
    'http://127.0.0.1:3001.test/x',
  ]) {
    t.same(of(elsewhere), usual, elsewhere ?? 'the platform itself')
  }
  t.same(of(`${url}/linkedin`), { leastMs: 5_000, mostMs: 15_000 })
  t.same(paceOf(PACE, undefined)({ baseUrl: url }, 0), PACE)

  const world = await givenWorld(t)
  const service = await givenProcess(world, { pace: PACE, sandboxUrl: world.sandbox.url })
  const account = await givenInbox(world, 'linkedin', service)
  // Until it is as quiet as can be.
  await pass(world, service, MINUTE)
  await account.comment('Hello')
  await pass(world, service, 15_000)
  t.match(await fetched(world), [{ text: 'Hello', platform: 'linkedin' }])

  // A second request gets a check in a minute; scheduled checks go on until then.
  for (const name of ['once', 'twice']) {
    await pass(world, service, 1_000)
    await handle(world, domainAccount, account.accountId, causedBy(name), (state) =>
      requestCommentsCheck(state, world.clock.now()),
    )
  }
  await account.comment('Hello again')
  await pass(world, service, 15_000)
  t.equal((await fetched(world)).length, 2)
})

t.test('given maintenance, when an account is written to, then that is seen once it has ended', async (t) => {
  const world = await givenWorld(t)
  const from = world.clock.now() + HOUR
  const service = await givenProcess(world, { pace: PACE, maintenance: [{ from, until: from + 2 * HOUR }] })
  const account = await givenInbox(world, 'linkedin', service)
  await pass(world, service, HOUR)
  await account.comment('Is it open?')
  const waiting = await service.queue({ selections: { linkedin: [account.accountId] } })
  await pass(world, service, 1.9 * HOUR)
  t.same(await fetched(world), [])
  t.match(await findPost(world.db, waiting), { status: 'processing' })
  const state = await load(world.log, domainAccount, account.accountId)
  t.notOk(state.status === 'connected' && state.limits, 'the account has no fault')
  await pass(world, service, HOUR)
  t.match(await fetched(world), [{ text: 'Is it open?' }])
  t.match(await findPost(world.db, waiting), { status: 'published' })
})

t.test('given new comments, when the process dies before or after any step, then each is recorded once', async (t) => {
  const { world, inbox: account } = await given(t)
  let n = 0
  const look = async (point?: { act: number; moment: 'before' | 'after' }) => {
    const texts = [(n += 1), (n += 1)].map((one) => `Comment ${one}`)
    for (const text of texts) await account.comment(text)
    await world.clock.advanceTo(world.clock.now() + HOUR)
    const fuse = fused(world, point)
    const mortal = await givenProcess(world, { ...fuse, slots: 1, pace: PACE })
    await pass(world, mortal, 0).catch((error: unknown) => {
      if (!fuse.dead()) throw error
    })
    await pass(world, await givenProcess(world, { pace: PACE }), HOUR)
    const found = await fetched(world)
    return { acts: fuse.acts, counts: texts.map((text) => found.filter((row) => row.text === text).length) }
  }
  const { acts, counts } = await look()
  t.same(counts, [1, 1])
  t.ok(acts.length >= 3, acts.join(', '))
  for (const act of acts.keys()) {
    for (const moment of ['before', 'after'] as const) {
      t.same((await look({ act, moment })).counts, [1, 1], `died ${moment} ${acts[act]}`)
    }
  }
  t.equal(await receivedEvents(world), n)
})

t.test('given an automation', async (t) => {
  await t.test('when it is off, then nothing is drafted', async (t) => {
    const { world, service, inbox: account } = await given(t)
    await account.comment('Hello')
    await pass(world, service, HOUR)
    t.same(await inbox(world), [])
  })

  await t.test('when it drafts for review, then each new comment gets one draft, and nothing is sent', async (t) => {
    const { world, service, inbox: account } = await given(t)
    await account.automate({ mode: 'review', instruction: 'Be kind.' })
    await account.comment('How much is it?')
    await pass(world, service, 3 * HOUR)
    t.match(await inbox(world), [
      {
        ...{ status: 'pending', source: 'automation', platform: 'bluesky', accountId: account.accountId },
        ...{ commentText: 'How much is it?', commentAuthor: String, draft: /\w/, drafting: false, error: null },
      },
    ])
    t.same(await account.answers(), [])
    const drafted = await draftEvents(world)
    t.match(drafted, [{ provider: /sandbox/i, model: String, prompt: /How much is it\?/ }])
    t.match(drafted[0]?.['prompt'], /Be kind\./)
  })

  await t.test(
    'when it answers by itself, then each comment is answered once, and its own answers never',
    async (t) => {
      const { world, service, inbox: account } = await given(t)
      await account.automate({ mode: 'auto' })
      await account.comment('Nice')
      await account.comment('Very nice', 'Bob')
      await pass(world, service, 5 * HOUR)
      const answers = await account.answers()
      t.equal(answers.length, 2)
      t.same(
        (await inbox(world)).map(({ status }) => status),
        ['sent', 'sent'],
      )
      t.same(
        (await fetched(world)).map(({ replied }) => replied),
        [true, true],
      )
    },
  )

  await t.test('when another account of the service has written it, then it is not answered', async (t) => {
    let author = ''
    const bluesky = { ...platforms.bluesky, conversation: writtenBy(platforms.bluesky.conversation, () => author) }
    const world = await givenWorld(t, { platforms: { bluesky } })
    const service = await givenProcess(world, { pace: PACE })
    const [one, other] = [await givenInbox(world, 'bluesky', service), await givenInbox(world, 'bluesky', service)]
    await one.automate({ mode: 'auto' })
    author = other.externalId
    await one.comment('An answer of the other account')
    await pass(world, service, 3 * HOUR)
    t.equal((await fetched(world)).length, 1)
    t.same(await one.answers(), [])
    author = 'did:plc:somebodyelse'
    await one.comment('Of a fan')
    await pass(world, service, 3 * HOUR)
    t.equal((await one.answers()).length, 1)
  })

  await t.test('when it is switched on, then what was written before is left alone', async (t) => {
    const { world, service, inbox: account } = await given(t)
    const at = (ms: number) => world.clock.advanceTo(world.clock.now() + ms)
    await account.comment('Long before')
    await at(6 * MINUTE)
    await account.comment('By a clock that is behind')
    await account.automate({ mode: 'review' })
    await at(HOUR)
    // Since then it is on, whatever else is changed.
    await account.automate({ mode: 'auto', instruction: 'Be kind.' })
    await account.automate({ mode: 'review' })
    await pass(world, service, HOUR)
    t.equal((await fetched(world)).length, 2)
    t.match(await inbox(world), [{ commentText: 'By a clock that is behind', draft: /\w/ }])

    await account.automate({ mode: 'off' })
    await account.comment('While it is off')
    await at(6 * MINUTE)
    await account.automate({ mode: 'review' })
    await account.comment('On again')
    await pass(world, service, HOUR)
    t.same((await inbox(world)).map((row) => row.commentText).toSorted(), ['By a clock that is behind', 'On again'])
  })

  await t.test('when another draft is wanted in the same moment, then the first one is not taken for it', async (t) => {
    const { world, service, inbox: account } = await given(t)
    await account.automate({ mode: 'review' })
    await account.comment('Hello')
    let drafts = 0
    const textModel: TextModel = {
      write: async () => {
        drafts += 1
        if (drafts === 1) {
          const [{ id } = { id: '' }] = await inbox(world)
          const wish = { instruction: '', context: 'Shorter.' }
          await handle(world, reply, id, causedBy('another'), (state) => regenerateDraft(state, wish))
        }
        return writtenText(`Draft ${drafts}`)
      },
    }
    await pass(world, await givenProcess(world, { pace: PACE, textModel }), 10 * MINUTE)
    await pass(world, service, HOUR)
    t.match(await inbox(world), [{ draft: 'Draft 2', drafting: false, status: 'pending' }])
    t.equal(drafts, 2)
  })

  await t.test('when more would go out in an hour than may, then the rest waits for approval', async (t) => {
    const { world, service, inbox: account } = await given(t, { automaticPerHour: 3 })
    await account.automate({ mode: 'auto' })
    for (let n = 0; n < 8; n += 1) await account.comment(`Comment ${n}`, `Fan ${n}`)
    await pass(world, service, 20 * MINUTE)
    t.equal((await account.answers()).length, 3)
    const waiting = (await inbox(world)).filter(({ status }) => status === 'pending')
    t.equal(waiting.length, 5)
    for (const { error, draft } of waiting) {
      t.match(error, /3 replies were sent automatically within an hour/)
      t.match(draft, /\w/)
    }
    await world.clock.advanceTo(world.clock.now() + 2 * HOUR)
    await account.comment('The next hour', 'Fan 9')
    await pass(world, service, HOUR)
    t.equal((await account.answers()).length, 4)
  })

  await t.test('when it is switched off while a draft is written, then the draft waits for approval', async (t) => {
    const { world, service, inbox: account } = await given(t)
    await account.automate({ mode: 'auto' })
    await account.comment('Hello')
    const slow = {
      write: async () => {
        await account.automate({ mode: 'review' })
        return { text: 'A draft', provider: 'test', model: 'm', prompt: 'p' }
      },
    }
    await pass(world, await givenProcess(world, { pace: PACE, textModel: slow }), 5 * MINUTE)
    await pass(world, service, HOUR)
    t.match(await inbox(world), [{ status: 'pending', draft: 'A draft', error: /no longer sends/ }])
    t.same(await account.answers(), [])
  })

  await t.test('when there is no AI, then the reply says so, and waits for a text', async (t) => {
    const { world, service, inbox: account } = await given(t, { textModel: undefined })
    await account.automate({ mode: 'review' })
    await account.comment('Hello')
    await pass(world, service, HOUR)
    t.match(await inbox(world), [{ status: 'pending', draft: '', drafting: false, error: /AI_PROVIDER/ }])
  })
})

t.test(
  'given X, when someone mentions the account, then that is in the inbox even without an automation',
  async (t) => {
    const world = await givenWorld(t)
    const service = await givenProcess(world, { pace: PACE })
    const account = await givenInbox(world, 'x', service)
    await account.comment('Hey there', 'ada')
    await pass(world, service, 2 * HOUR)
    t.match(await inbox(world), [
      { status: 'pending', draft: '', drafting: false, platform: 'x', commentText: /Hey there/ },
    ])
    t.match(await fetched(world), [{ kind: 'mention', platform: 'x' }])

    await account.comment('From before', 'bob')
    await world.clock.advanceTo(world.clock.now() + 6 * MINUTE)
    await account.automate({ mode: 'review' })
    await pass(world, service, 2 * HOUR)
    t.match(
      (await inbox(world)).map((row) => row.draft),
      ['', ''],
      'an automation leaves what was written before alone',
    )
  },
)

/** As if all that comes were by one author: another account of the service, by its own automation. */
function writtenBy(conversation: Conversation | undefined, author: () => string): Conversation {
  if (!conversation) throw new Error('its comments are not read')
  return {
    ...conversation,
    fetch: async function* (...asked) {
      for await (const page of conversation.fetch(...asked)) {
        yield page.map((one) => ({ ...one, authorId: author() }))
      }
    },
  }
}

async function draftEvents({ log }: World): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const events = await readUntilCaughtUp(log, START)
  return events.filter(({ type }) => type === 'DraftWritten').map(({ data }) => ({ ...data }))
}
