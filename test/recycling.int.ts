import t, { type Test } from 'tap'
import { TextModelError, type TextModel } from '../infra/ai/text.ts'
import { disconnectAccount } from '../commands/disconnect-account.ts'
import { handle, load } from '../commands/handle.ts'
import { endTurn, failTurn, startTurn } from '../commands/recycle-turn.ts'
import { changeRule, deleteRule, requestTurn } from '../commands/recycling-rule.ts'
import { retryPost } from '../commands/retry-post.ts'
import { account } from '../domain/account/account.ts'
import { post } from '../domain/post/post.ts'
import { recyclingRule } from '../domain/recycling/recycling-rule.ts'
import { encoded } from '../event-log/limits.ts'
import { faultScriptSchema, type FaultKind } from '../packages/sandbox/faults.ts'
import { findPost } from '../projections/models/posts.ts'
import { fused } from './support/fuse.ts'
import { decide, givenRule, owedRows, pass, recycled, ruleRow, typesOf } from './support/recycling.ts'
import { writtenText } from './support/text-model.ts'
import { virtualClock } from './support/virtual-clock.ts'
import { causedBy, givenProcess, givenWorld, type World } from './support/world.ts'

const SECOND = 1_000
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Between two checks. */
const START = Date.parse('2026-01-01T09:17:00.000Z')

const worldAt = (t: Test, start = START) => givenWorld(t, { clock: virtualClock(start) })
const live = (world: World) => world.sandbox.ledger.posts('bluesky')
const runNow = (world: World, id: string) => decide(world, id, (state) => requestTurn(state, world.clock.now()))
const times = async (world: World) => (await recycled(world)).map(({ at }) => at)

t.test('given a rule of seven days', async (t) => {
  await t.test('when 60 days pass, then it makes a post at the first check after each seven days', async (t) => {
    const world = await worldAt(t)
    const source = {
      caption: 'Evergreen',
      hashtags: ['again'],
      captionOverrides: { x: 'Not here' },
      firstComment: 'One',
    }
    const { id, account, service, sourcePostId } = await givenRule(world, { intervalDays: 7 }, source)
    await pass(world, service, 60 * DAY)
    const days = ['01-08', '01-15', '01-22', '01-29', '02-05', '02-12', '02-19', '02-26']
    t.same(
      await times(world),
      days.map((day) => `2026-${day}T12:00:00.000Z`),
    )
    const posts = await recycled(world)
    t.match(await ruleRow(world, id), {
      recycleCount: 8,
      lastPostId: posts.at(-1)?.id,
      lastRecycledAt: '2026-02-26T12:00:00.000Z',
      nextRecycleAt: '2026-03-05T12:00:00.000Z',
      lastError: null,
    })
    t.equal(live(world).length, 9)
    t.match(live(world).at(-1), { caption: 'Evergreen\n\n#again' })
    t.match(await findPost(world.db, posts[0]?.id ?? ''), { status: 'published', origin: 'recycling' })
    t.match(posts[0]?.id, /^post_[0-9A-HJKMNP-TV-Z]{26}$/)
    const queued = (await world.log.read(`post-${posts[0]?.id}`))[0]
    const { origin: _, ...content } = { ...(await world.log.read(`post-${sourcePostId}`))[0]?.data } as Record<
      string,
      unknown
    >
    t.same(queued?.data, { ...content, origin: 'recycling', selections: { bluesky: [account] } })
  })

  await t.test('when a turn is made, then the events tell what caused what', async (t) => {
    const world = await worldAt(t)
    const { id, service } = await givenRule(world, { intervalDays: 1 })
    await pass(world, service, 2 * DAY)
    const ofRule = await world.log.read(`rule-${id}`)
    t.same(typesOf(ofRule), ['RecyclingRuleAdded', 'RecycleStarted', 'Recycled'])
    const [queued] = await world.log.read(`post-${(await recycled(world))[0]?.id}`)
    const actor = { kind: 'reactor', id: 'recycle' }
    t.match(queued?.metadata, { correlationId: id, causationId: ofRule[1]?.id, actor })
    t.match(ofRule[2]?.metadata, { correlationId: id, causationId: queued?.id, actor })
    const [begun, ofPost] = encoded([ofRule[1], queued].filter((event) => event !== undefined))
    t.ok(begun && ofPost && ofPost.bytes <= begun.bytes, 'what can be begun can be queued')
  })

  await t.test('when the service was down for months, then it makes one post, and continues from there', async (t) => {
    const world = await worldAt(t)
    const { id, service } = await givenRule(world, { intervalDays: 7 })
    await world.clock.advanceTo(START + 100 * DAY)
    await (await givenProcess(world)).drain()
    t.same(await times(world), ['2026-04-11T09:17:00.000Z'])
    t.match(await ruleRow(world, id), { nextRecycleAt: '2026-04-18T06:00:00.000Z' })
    await pass(world, service, 8 * DAY)
    t.same((await times(world)).slice(1), ['2026-04-18T06:00:00.000Z'])
  })

  await t.test('when the read models are rebuilt from the log, then they are as before', async (t) => {
    const world = await worldAt(t)
    const { id, service } = await givenRule(world, { intervalDays: 7 })
    await pass(world, service, 20 * DAY)
    await decide(world, id, (state) => changeRule(state, { intervalDays: 5 }))
    await service.step()
    const before = [await ruleRow(world, id), await owedRows(world, id)]
    await world.db.query(`truncate read.agenda, read.recycling_rules; update read.checkpoints set position = -1`)
    await service.step()
    t.same([await ruleRow(world, id), await owedRows(world, id)], before)
  })
})

t.test(
  'given a turn that another worker has made, when it is begun or ended again, then nothing changes',
  async (t) => {
    const world = await worldAt(t)
    const { id, service } = await givenRule(world, { intervalDays: 1 })
    await world.clock.advanceTo(START + DAY + 3 * HOUR)
    const now = world.clock.now()
    const content = { mediaUrl: 'https://a.test/a.jpg', mediaType: 'image', selections: {}, caption: '' } as const
    const ready = (number: number, isRewritten = false) => ({
      ...{ postId: `post_${number}`, number, rewritings: isRewritten ? [] : undefined },
      content: { ...content, captionOverrides: {}, hashtags: [] },
    })
    const due = await load(world.log, recyclingRule, id)
    t.equal(startTurn(due, ready(1), now).length, 1)
    t.same(startTurn(due, ready(2), now), [])
    t.same(startTurn(due, ready(1, true), now), [])
    t.same(startTurn(due, ready(1), now - HOUR), [])
    t.same(endTurn(due, 'post_1', now), [])
    await service.drain()
    const made = await load(world.log, recyclingRule, id)
    t.same(startTurn(made, ready(1), now), [])
    t.same(failTurn(made, 'too late', now), [])
    await decide(world, id, (state) => requestTurn(state, now))
    t.same(startTurn(await load(world.log, recyclingRule, id), ready(1), now), [], 'the turn before')
    const begun = await decide(world, id, (state) => startTurn(state, ready(2), now))
    t.match(begun, { turn: { postId: 'post_2' }, dueWork: { part: 'post' } })
    t.same(endTurn(begun, 'post_1', now), [])
    t.same(requestTurn(begun, now), [])
    t.match(endTurn(begun, 'post_2', now), [{ type: 'Recycled', data: { postId: 'post_2', active: true } }])
  },
)

t.test(
  'given a rule of one day, when each turn is made some seconds after its check, then there is one a day',
  async (t) => {
    const world = await worldAt(t)
    const { service } = await givenRule(world, { intervalDays: 1 })
    await pass(world, service, 30 * DAY, 7 * SECOND)
    const made = await times(world)
    t.equal(made.length, 30 - 1)
    t.same(new Set(made.map((at) => at.slice(10))), new Set(['T12:00:07.000Z']))
  },
)

t.test('given a rule of thirty days', async (t) => {
  await t.test('when it is run now, then at once, and the next turn is counted from then', async (t) => {
    const world = await worldAt(t)
    const { id, service } = await givenRule(world)
    await service.step()
    t.same(await owedRows(world, id), [{ part: 'check', dueAt: '2026-01-31T12:00:00.000Z' }])
    await world.clock.advanceTo(START + 2 * HOUR)
    await runNow(world, id)
    await runNow(world, id)
    await service.drain()
    t.same(await times(world), ['2026-01-01T11:17:00.000Z'])
    t.match(await ruleRow(world, id), { recycleCount: 1, nextRecycleAt: '2026-01-31T11:17:00.000Z' })
    await pass(world, service, 31 * DAY)
    t.same((await times(world)).slice(1), ['2026-01-31T12:00:00.000Z'])
  })

  await t.test('when it is paused, then nothing is posted, and run-now says why', async (t) => {
    const world = await worldAt(t)
    const { id, service } = await givenRule(world)
    await decide(world, id, (state) => changeRule(state, { active: false }))
    await pass(world, service, 100 * DAY)
    t.same(await recycled(world), [])
    t.same(await owedRows(world, id), [])
    await t.rejects(runNow(world, id), { code: 'failed_precondition', message: /paused/ })

    // Its time has passed: it is made at the next check, once.
    await decide(world, id, (state) => changeRule(state, { active: true }))
    t.match(await ruleRow(world, id), { nextRecycleAt: '2026-01-31T09:17:00.000Z' })
    await pass(world, service, 3 * DAY)
    t.same(await times(world), ['2026-04-11T12:00:00.000Z'])
  })

  await t.test('when its interval is changed, then the next turn is counted again from the last one', async (t) => {
    const world = await worldAt(t)
    const { id, service } = await givenRule(world)
    const change = async (intervalDays: number) => {
      await decide(world, id, (state) => changeRule(state, { intervalDays }))
      await service.step()
    }
    await change(90)
    t.match(await ruleRow(world, id), { nextRecycleAt: '2026-04-01T09:17:00.000Z', intervalDays: 90 })
    await pass(world, service, 31 * DAY)
    t.same(await recycled(world), [])
    await change(10)
    t.match(await ruleRow(world, id), { nextRecycleAt: '2026-01-11T09:17:00.000Z' })
    t.same(await owedRows(world, id), [{ part: 'check', dueAt: '2026-02-01T12:00:00.000Z' }])
    await pass(world, service, DAY)
    await change(2)
    t.match(await ruleRow(world, id), { nextRecycleAt: '2026-02-03T12:00:00.000Z', recycleCount: 1 })
  })

  await t.test('when it is deleted, then it is gone, and nothing more is sent', async (t) => {
    const world = await worldAt(t)
    const { id, service } = await givenRule(world)
    await decide(world, id, deleteRule)
    await pass(world, service, 100 * DAY)
    t.same(await recycled(world), [])
    t.same(await owedRows(world, id), [])
    await t.rejects(ruleRow(world, id))
    for (const decision of [
      deleteRule,
      (state: Parameters<typeof changeRule>[0]) => changeRule(state, { active: true }),
    ]) {
      await t.rejects(decide(world, id, decision), { code: 'not_found' })
    }
    await t.rejects(runNow(world, id), { code: 'not_found' })
  })

  await t.test(
    'when it is deleted just as its turn comes, then one of the two wins, and both know which',
    async (t) => {
      const world = await worldAt(t)
      for (let round = 0; round < 10; round += 1) {
        const { id, service } = await givenRule(world, { intervalDays: 1 })
        await world.clock.advanceTo(world.clock.now() + 2 * DAY)
        const before = (await recycled(world)).length
        await Promise.all([decide(world, id, deleteRule), service.step()])
        await service.drain()
        const events = typesOf(await world.log.read(`rule-${id}`))
        const begun = events.filter((type) => type === 'RecycleStarted').length
        t.equal((await recycled(world)).length - before, begun)
        t.equal(events.filter((type) => type === 'Recycled').length, begun)
        t.same(await owedRows(world, id), [])
      }
    },
  )
})

t.test('given a turn that cannot be made', async (t) => {
  await t.test('when its accounts have gone, then it is tried at each check, until one is back', async (t) => {
    const world = await worldAt(t)
    const { id, account: accountId, service } = await givenRule(world, { intervalDays: 1 })
    await handle(world, account, accountId, causedBy('gone'), disconnectAccount)
    await pass(world, service, 2 * DAY)
    t.match(await ruleRow(world, id), {
      lastError: 'None of the accounts of this rule is still connected.',
      recycleCount: 0,
      active: true,
      nextRecycleAt: '2026-01-02T09:17:00.000Z',
    })
    const failures = (await world.log.read(`rule-${id}`)).filter(({ type }) => type === 'RecycleFailed')
    t.same(
      failures.map(({ metadata }) => metadata.at.slice(5, 16)),
      ['01-02T12:00', '01-02T18:00', '01-03T00:00', '01-03T06:00'],
    )
    t.same(await owedRows(world, id), [{ part: 'check', dueAt: '2026-01-03T12:00:00.000Z' }])
    const selections = { bluesky: [await world.account('bluesky')], nonsense: ['acc_1'] }
    await decide(world, id, (state) => changeRule(state, { selections }))
    await pass(world, service, 6 * HOUR)
    t.match(await ruleRow(world, id), {
      lastError: null,
      recycleCount: 1,
      nextRecycleAt: '2026-01-04T12:00:00.000Z',
    })
    const made = (await recycled(world))[0]?.id ?? ''
    t.match(await findPost(world.db, made), {
      status: 'published',
      results: { bluesky: [{ ok: true }], nonsense: [{ ok: false, error: /No connected account/ }] },
    })
  })

  await t.test(
    'when its post is larger than the log takes, then it says so, and is tried at the next check',
    async (t) => {
      const world = await worldAt(t)
      const selections = (account: string, more: number) => ({
        bluesky: [account, ...Array.from({ length: more }, (_, n) => `${n}${'語'.repeat(90)}`)],
      })
      const { id, account, service } = await givenRule(
        world,
        { intervalDays: 1 },
        { captionOverrides: { x: '語'.repeat(70_000) } },
      )
      await decide(world, id, (state) => changeRule(state, { selections: selections(account, 190) }))
      await pass(world, service, 2 * DAY)
      t.match(await ruleRow(world, id), {
        ...{ lastError: /^captionOverrides is too large to store: event RecycleStarted has/, recycleCount: 0 },
      })
      const failures = (await world.log.read(`rule-${id}`)).filter(({ type }) => type === 'RecycleFailed')
      t.equal(failures.length, 4, 'once at each check')
      await decide(world, id, (state) => changeRule(state, { selections: selections(account, 0) }))
      await pass(world, service, 6 * HOUR)
      t.match(await ruleRow(world, id), { lastError: null, recycleCount: 1 })
    },
  )

  await t.test('when another workspace has the account, then it is as none', async (t) => {
    const world = await worldAt(t)
    const selections = { bluesky: [await world.account('bluesky', 'ws_other')] }
    const { id, service } = await givenRule(world, { intervalDays: 1, selections })
    await pass(world, service, 2 * DAY)
    t.match(await ruleRow(world, id), { lastError: /^None of the accounts/, recycleCount: 0 })
  })

  await t.test('when a request for it failed, then it is tried at the next check', async (t) => {
    const world = await worldAt(t)
    const { id, service, account: accountId } = await givenRule(world)
    await handle(world, account, accountId, causedBy('gone'), disconnectAccount)
    await runNow(world, id)
    await service.drain()
    t.match(await ruleRow(world, id), { lastError: /^None of the accounts/ })
    const selections = { bluesky: [await world.account('bluesky')] }
    await decide(world, id, (state) => changeRule(state, { selections }))
    await service.drain()
    t.same(await recycled(world), [], 'not in between')
    await pass(world, service, 3 * HOUR)
    t.same(await times(world), ['2026-01-01T12:00:00.000Z'])
  })

  await t.test('when its source post is being retried, then it waits for the next check', async (t) => {
    const world = await worldAt(t)
    const [failed, x] = [await world.account('x'), await world.account('x')]
    const { script } = world.sandbox.faults
    const faultOf = (kind: FaultKind) => faultScriptSchema.parse({ platform: 'x', call: 'publish', kind })
    script(faultOf('reject'))
    const source = { selections: { bluesky: [await world.account('bluesky')], x: [failed] } }
    const { id, service, sourcePostId } = await givenRule(world, { intervalDays: 1, selections: { x: [x] } }, source)
    await world.clock.advanceTo(START + 2 * DAY)
    // Whichever comes first, the turn or the retry: the retry is not over at this time.
    script(faultOf('rate_limit'))
    await handle(world, post, sourcePostId, causedBy('retry'), (state) => retryPost(state, 'x'))
    await service.step()
    t.match(await ruleRow(world, id), {
      lastError: 'The source post is no longer published; its status is processing.',
    })
    await pass(world, service, 3 * HOUR)
    t.match(await ruleRow(world, id), { lastError: null, recycleCount: 1 })
  })
})

t.test('given a rule that rewrites the caption', async (t) => {
  const caption = 'Up at four, coffee in a flask, and the whole valley to ourselves.'

  await t.test('when turns are made, then each is written again from the source', async (t) => {
    const world = await worldAt(t)
    const source = { caption, captionOverrides: { bluesky: 'Up at four.', x: '' }, hashtags: ['hills'] }
    const { id, service } = await givenRule(world, { intervalDays: 1, rewriteCaption: true }, source)
    await pass(world, service, 3 * DAY)
    t.equal((await recycled(world)).length, 2)
    for (const { id } of await recycled(world)) {
      t.match((await world.log.read(`post-${id}`))[0]?.data, {
        caption: `Sandbox draft, in other words: ${caption}`,
        captionOverrides: { bluesky: 'Sandbox draft, in other words: Up at four.', x: '' },
      })
    }
    t.match(live(world).at(-1), { caption: 'Sandbox draft, in other words: Up at four.\n\n#hills' })
    const [started, ...rewritten] = (await world.log.read(`rule-${id}`)).slice(1, 4)
    t.equal(started?.type, 'RecycleStarted')
    const of = { postId: (await recycled(world))[0]?.id, provider: 'sandbox', model: String }
    t.match(
      rewritten.map(({ type, data }) => ({ type, ...data })),
      [
        { type: 'CaptionRewritten', ...of, platform: undefined, prompt: new RegExp(caption) },
        { type: 'CaptionRewritten', ...of, platform: 'bluesky', prompt: /Up at four\./ },
      ],
      'where each comes from',
    )
  })

  await t.test('when there is no AI, then nothing is posted without a text', async (t) => {
    const world = await worldAt(t)
    const { id } = await givenRule(world, { intervalDays: 1, rewriteCaption: true }, { caption })
    const service = await givenProcess(world, { textModel: undefined })
    await pass(world, service, 2 * DAY)
    t.same(await recycled(world), [])
    t.match(await ruleRow(world, id), {
      lastError: 'No AI provider is configured to rewrite the caption: set AI_PROVIDER.',
    })
    await decide(world, id, (state) => changeRule(state, { rewriteCaption: false }))
    await pass(world, service, DAY)
    t.match(await recycled(world), [{ caption }])
  })

  await t.test('when the AI fails, then the turn says so, and is made at a later check', async (t) => {
    const world = await worldAt(t)
    const { id } = await givenRule(world, { intervalDays: 1, rewriteCaption: true }, { caption })
    let answers = 0
    const textModel: TextModel = {
      write: async ({ data, maxChars }) => {
        t.equal(maxChars, 100)
        answers += 1
        if (answers < 3) throw new TextModelError('retryable', 'It is tired.')
        return writtenText(data.map(({ text }) => text.toUpperCase()).join())
      },
    }
    const service = await givenProcess(world, { textModel })
    await pass(world, service, DAY + 3 * HOUR)
    t.match(await ruleRow(world, id), { lastError: 'The caption could not be rewritten. It is tired.' })
    await pass(world, service, DAY)
    t.match(await recycled(world), [{ caption: caption.toUpperCase(), at: '2026-01-03T00:00:00.000Z' }])
  })

  for (const [what, wish, error] of [
    ['overloaded', 'fail', /status 503: the model is overloaded/],
    ['refuses', 'refuse', /status 422: the model refuses this text/],
  ] as const) {
    await t.test(`when the sandbox’s AI is set to one that ${what}, then its words are shown`, async (t) => {
      const world = await worldAt(t)
      const source = { caption: `${caption} [sandbox ai=${wish}]` }
      const { id, service } = await givenRule(world, { intervalDays: 1, rewriteCaption: true }, source)
      await pass(world, service, 2 * DAY)
      t.match(await ruleRow(world, id), { lastError: error, recycleCount: 0 })
    })
  }

  await t.test('when the rule changes while the AI writes, then the post follows the new rule', async (t) => {
    const world = await worldAt(t)
    const one = await givenRule(world, { intervalDays: 1, rewriteCaption: true }, { caption })
    const other = await world.account('bluesky')
    const changes: (() => Promise<unknown>)[] = []
    const textModel: TextModel = {
      write: async () => {
        await changes.pop()?.()
        return writtenText('Rewritten')
      },
    }
    const service = await givenProcess(world, { textModel })
    const meanwhile = async (change: Parameters<typeof changeRule>[1] | 'delete') => {
      changes.push(() =>
        decide(world, one.id, (state) => (change === 'delete' ? deleteRule(state) : changeRule(state, change))),
      )
      await runNow(world, one.id)
      await service.drain()
    }
    await meanwhile({ selections: { bluesky: [other] } })
    t.match(await recycled(world), [{ caption: 'Rewritten' }])
    t.match((await findPost(world.db, (await recycled(world))[0]?.id ?? ''))?.selections, { bluesky: [other] })
    await world.clock.advanceTo(world.clock.now() + HOUR)
    await meanwhile({ rewriteCaption: false })
    t.match(await recycled(world), [{}, { caption }])
    await decide(world, one.id, (state) => changeRule(state, { rewriteCaption: true }))
    await world.clock.advanceTo(world.clock.now() + HOUR)
    await meanwhile('delete')
    t.equal((await recycled(world)).length, 2)
  })
})

t.test('given a turn, when the process dies before or after any of its acts, then there is one post', async (t) => {
  const world = await worldAt(t)
  const { id } = await givenRule(world, { rewriteCaption: true }, { caption: 'Once' })
  const turn = async (point?: { act: number; moment: 'before' | 'after' }) => {
    await world.clock.advanceTo(world.clock.now() + HOUR)
    const [before, liveBefore] = [(await ruleRow(world, id)).recycleCount, live(world).length]
    await runNow(world, id)
    const fuse = fused(world, point)
    const mortal = await givenProcess(world, { ...fuse, slots: 1 })
    await mortal.drain().catch((error: unknown) => {
      if (!fuse.dead()) throw error
    })
    await (await givenProcess(world, { slots: 1 })).drain()
    const at = point ? `died ${point.moment} ${fuse.acts[point.act]}` : 'lived'
    t.equal((await ruleRow(world, id)).recycleCount, before + 1, at)
    t.equal((await recycled(world)).length, before + 1, at)
    t.equal(live(world).length, liveBefore + 1, at)
    return fuse
  }
  await (await givenProcess(world)).drain()
  const { acts } = await turn()
  t.same(acts.slice(0, 4), [
    'POST /ai/text',
    'append RecycleStarted+CaptionRewritten',
    'append PostQueued',
    'append Recycled',
  ])
  let deaths = 0
  for (let act = 0; act < acts.length; act += 1) {
    for (const moment of ['before', 'after'] as const) {
      if ((await turn({ act, moment })).dead()) deaths += 1
    }
  }
  t.equal(deaths, 2 * acts.length)
})
