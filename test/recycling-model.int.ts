import t from 'tap'
import fc from 'fast-check'
import { TextModelError, type TextModel } from '../infra/ai/text.ts'
import { connectAccount } from '../commands/connect-account.ts'
import { handle, load } from '../commands/handle.ts'
import { finished } from '../commands/finish-post.ts'
import { queuePost } from '../commands/queue-post.ts'
import { addRule, changeRule, deleteRule, requestTurn } from '../commands/recycling-rule.ts'
import { account } from '../domain/account/account.ts'
import { post } from '../domain/post/post.ts'
import type { RecyclingEvent } from '../domain/recycling/recycling-events.ts'
import { recyclingRule, type RecyclingRuleState } from '../domain/recycling/recycling-rule.ts'
import { recycleReactor } from '../reactors/publishing/recycle.ts'
import { dyingLog } from './support/dying-log.ts'
import { memoryAgenda } from './support/memory-agenda.ts'
import { memoryLog, memoryLogData } from './support/memory-log.ts'
import { writtenText } from './support/text-model.ts'
import { virtualClock } from './support/virtual-clock.ts'
import { causedBy } from './support/world.ts'

/*
 * What each of two rules should have come to, beside a service that is restarted, races itself, works by old rows, dies
 * under any of its appends, and has an AI that is out of order at times.
 */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const CHECK = 6 * HOUR
/** After this an abandoned turn is taken up by another. */
const ABANDONED_MS = 30_000
const RULES = ['rule_0', 'rule_1']
const SOURCE = 'post_source'

/** Times in ms. */
interface Model {
  status: 'absent' | 'active' | 'paused' | 'deleted'
  intervalDays: number
  rewriteCaption: boolean
  countedFrom: number
  next: number
  /** When a turn is to be made; undefined: none. */
  due: number | undefined
  isRequested: boolean
  turns: number
  /** When a turn was begun whose process died. */
  begunAt: number | undefined
}

type Step =
  | { readonly act: 'add'; readonly rule: number; readonly intervalDays: number; readonly rewriteCaption: boolean }
  | { readonly act: 'patch'; readonly rule: number; readonly intervalDays: number; readonly active: boolean }
  | { readonly act: 'delete' | 'run-now'; readonly rule: number }
  | { readonly act: 'pass'; readonly ms: number }
  | { readonly act: 'work'; readonly workers: number; readonly stale: boolean }
  | { readonly act: 'die'; readonly nth: number; readonly moment: 'before' | 'after' }
  | { readonly act: 'ai'; readonly isOut: boolean }
  | { readonly act: 'restart' }

const rule = fc.nat(RULES.length - 1)
const intervalDays = fc.integer({ min: 1, max: 5 })
const work = fc.record({
  act: fc.constant('work' as const),
  workers: fc.integer({ min: 1, max: 3 }),
  stale: fc.boolean(),
})
const die = fc.record({
  act: fc.constant('die' as const),
  nth: fc.nat(5),
  moment: fc.constantFrom('before' as const, 'after' as const),
})
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      arbitrary: fc.record({ act: fc.constant('add' as const), rule, intervalDays, rewriteCaption: fc.boolean() }),
      weight: 3,
    },
    fc.record({ act: fc.constant('patch' as const), rule, intervalDays, active: fc.boolean() }),
    { arbitrary: fc.record({ act: fc.constant('run-now' as const), rule }), weight: 2 },
    fc.record({ act: fc.constant('delete' as const), rule }),
    {
      arbitrary: fc.record({
        act: fc.constant('pass' as const),
        ms: fc.oneof(
          fc.integer({ min: 1, max: 7 * 24 * 60 }).map((minutes) => minutes * MINUTE),
          fc.integer({ min: 1, max: 60_000 }),
          fc.integer({ min: 1, max: 12 }).map((checks) => checks * CHECK),
        ),
      }),
      weight: 4,
    },
    { arbitrary: work, weight: 3 },
    { arbitrary: die, weight: 3 },
    fc.record({ act: fc.constant('ai' as const), isOut: fc.boolean() }),
    fc.record({ act: fc.constant('restart' as const) }),
  ),
  { minLength: 20, maxLength: 80, size: 'max' },
)

/** The real decisions, the real agenda and the real reactor, in memory. */
async function givenService() {
  const clock = virtualClock()
  const data = memoryLogData()
  const log = memoryLog(data)
  const owed = memoryAgenda(data)
  let token = 0
  let aiIsOut = false
  const textModel: TextModel = {
    write: async ({ data }) => {
      if (aiIsOut) throw new TextModelError('retryable', 'out of order')
      return writtenText(data.map(({ text }) => text.toUpperCase()).join())
    },
  }
  const run = async (by: typeof log, workers: number) => {
    const due = [...owed.rows.values()].filter(
      ({ kind, dueAt: due_at }) => kind === 'recycle' && Date.parse(due_at) <= clock.now(),
    )
    const reactor = recycleReactor({ log: by, clock, textModel })
    for (const row of due) {
      const tries = Array.from({ length: workers }, () =>
        reactor({ ...row, token: `t${(token += 1)}` }, new AbortController().signal),
      )
      // Who died has died; what another worker was refused it is refused for good.
      await Promise.allSettled(tries)
    }
  }

  const connected = { workspaceId: 'ws_1', platform: 'x', externalId: '1', label: 'one' } as const
  await handle({ log, clock }, account, 'acc_1', causedBy('acc_1'), (state) => connectAccount(state, connected))
  const content = { workspaceId: 'ws_1', mediaUrl: 'https://example.com/a.jpg', mediaType: 'image' } as const
  const source = { ...content, selections: { x: ['acc_1'] }, caption: 'Again', captionOverrides: {}, hashtags: [] }
  await handle({ log, clock }, post, SOURCE, causedBy(SOURCE), (state) =>
    finished(state, [
      ...queuePost(state, { ...source, origin: 'api' }),
      { type: 'AccountPublished', data: { platform: 'x', accountId: 'acc_1', attempt: 1, postId: '1' } },
    ]),
  )
  return {
    ...{ clock, log },
    setAi: (isOut: boolean) => (aiIsOut = isOut),
    /** @param stale first by rows that were read before the last commands */
    work: async (workers: number, stale: boolean) => {
      if (stale) await run(log, workers)
      owed.catchUp()
      await run(log, workers)
      owed.catchUp()
    },
    die: async (nth: number, moment: 'before' | 'after') => {
      owed.catchUp()
      await run(dyingLog(log, nth, moment), 1)
    },
    restart: owed.forget,
    owed: (id: string) => {
      owed.catchUp()
      return owed.rows.get(`recycle:${id}`)
    },
    countOf: (id: string, type: string) =>
      data.events.filter((event) => event.stream === `rule-${id}` && event.type === type).length,
    postsOf: (id: string) =>
      data.events.filter(({ type, metadata }) => type === 'PostQueued' && metadata.correlationId === id),
  }
}

const checkFrom = (ms: number) => Math.ceil(ms / CHECK) * CHECK

/** What a rule comes to, said once more in other words. */
const model = {
  added: (now: number, days: number, rewriteCaption: boolean): Model => ({
    ...{ status: 'active', intervalDays: days, rewriteCaption, countedFrom: now, next: now + days * DAY },
    ...{ due: checkFrom(now + days * DAY), isRequested: false, turns: 0, begunAt: undefined },
  }),
  patched: (m: Model, now: number, days: number, active: boolean) => {
    m.status = active ? 'active' : 'paused'
    m.intervalDays = days
    m.next = m.countedFrom + days * DAY
    if (m.begunAt !== undefined) return
    if (!active) Object.assign(m, { due: undefined, isRequested: false })
    else if (!m.isRequested) {
      const hasCome = m.due !== undefined && m.due <= now && m.next <= m.due
      if (!hasCome) m.due = checkFrom(Math.max(m.next, now))
    }
  },
  requested: (m: Model, now: number) => {
    if (m.begunAt !== undefined) return
    const isAsked = m.isRequested && m.due !== undefined && m.due <= now
    if (!isAsked) Object.assign(m, { isRequested: true, due: now })
  },
  deleted: (m: Model) => Object.assign(m, { status: 'deleted', due: undefined, isRequested: false }),
  failed: (m: Model, now: number) => (m.due = checkFrom(now + 1)),
  begun: (m: Model, now: number) => Object.assign(m, { turns: m.turns + 1, begunAt: now, due: undefined }),
  ended: (m: Model, now: number) => {
    const check = Math.floor(now / CHECK) * CHECK
    m.countedFrom = check >= m.next ? check : now
    m.next = m.countedFrom + m.intervalDays * DAY
    m.due = m.status === 'active' ? checkFrom(Math.max(m.next, now)) : undefined
    Object.assign(m, { isRequested: false, begunAt: undefined })
  },
}

t.test('whatever is added, changed, asked for, deleted and killed, each due turn makes exactly one post', async (t) => {
  let [made, deaths, failures] = [0, 0, 0]
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const service = await givenService()
      const { clock, log } = service
      const models: Model[] = RULES.map(() => ({ ...model.added(0, 1, false), status: 'absent', due: undefined }))
      let aiIsOut = false
      let commands = 0
      const decide = async (id: string, decision: (state: RecyclingRuleState) => readonly RecyclingEvent[]) =>
        handle({ log, clock }, recyclingRule, id, causedBy(`${(commands += 1)}`), decision).then(
          () => true,
          () => false,
        )
      const settle = async (workers: number, stale = false) => {
        await service.work(workers, stale)
        for (const m of models) {
          const isAbandoned = m.begunAt !== undefined && m.begunAt + ABANDONED_MS <= clock.now()
          if (isAbandoned) model.ended(m, clock.now())
          else if (m.due !== undefined && m.due <= clock.now()) {
            if (m.rewriteCaption && aiIsOut) model.failed(m, clock.now())
            else {
              model.begun(m, clock.now())
              model.ended(m, clock.now())
            }
          }
        }
      }
      /** Only the log knows how far it came; whether it might have is the model's to say. */
      const die = async (nth: number, moment: 'before' | 'after') => {
        const types = ['RecycleStarted', 'RecycleFailed', 'Recycled'] as const
        const counts = () => RULES.map((id) => types.map((type) => service.countOf(id, type)))
        const before = counts()
        await service.die(nth, moment)
        counts().forEach((after, index) => {
          const m = models[index]
          const [started = 0, failed = 0, ended = 0] = after.map((count, type) => count - (before[index]?.[type] ?? 0))
          if (!m || started + failed > 1 || ended > 1) throw new Error('more than one turn at once')
          const isDue = m.due !== undefined && m.due <= clock.now()
          const mayFail = m.rewriteCaption && aiIsOut
          if (started > 0 && (!isDue || mayFail)) throw new Error('a turn that is not due')
          if (failed > 0 && (!isDue || !mayFail)) throw new Error('a failure of a turn that is not due')
          if (started > 0) model.begun(m, clock.now())
          if (failed > 0) model.failed(m, clock.now())
          if (ended > 0 && m.begunAt === undefined) throw new Error('the end of a turn that has not begun')
          if (ended > 0) model.ended(m, clock.now())
          if (started > 0 && ended === 0) deaths += 1
          failures += failed
        })
      }
      const agrees = async () => {
        for (const [index, id] of RULES.entries()) {
          const m = models[index]
          const row = service.owed(id)
          const state = await load(log, recyclingRule, id)
          if (!m) return false
          if ((state.status === 'absent') !== (m.status === 'absent')) return false
          if (state.status === 'absent') continue
          const due = m.begunAt === undefined ? m.due : m.begunAt + ABANDONED_MS
          if ((row && Date.parse(row.dueAt)) !== due || (state.dueWork && Date.parse(state.dueWork.dueAt)) !== due)
            return false
          if (Date.parse(state.nextRecycleAt) !== m.next || state.status !== m.status) return false
        }
        return true
      }

      for (const step of all) {
        const m = 'rule' in step ? models[step.rule] : undefined
        const id = 'rule' in step ? (RULES[step.rule] ?? '') : ''
        const isThere = m?.status === 'active' || m?.status === 'paused'
        if (step.act === 'pass') await clock.advanceTo(clock.now() + step.ms)
        else if (step.act === 'work') await settle(step.workers, step.stale)
        else if (step.act === 'die') await die(step.nth, step.moment)
        else if (step.act === 'restart') service.restart()
        else if (step.act === 'ai') service.setAi((aiIsOut = step.isOut))
        else if (!m) throw new Error('no rule')
        else if (step.act === 'add') {
          const { intervalDays, rewriteCaption } = step
          const rule = { workspaceId: 'ws_1', sourcePostId: SOURCE, selections: { x: ['acc_1'] } }
          await decide(id, (state) => addRule(state, { ...rule, intervalDays, rewriteCaption }, clock.now()))
          if (m.status === 'absent') Object.assign(m, model.added(clock.now(), intervalDays, rewriteCaption))
        } else if (step.act === 'patch') {
          const { intervalDays, active } = step
          if ((await decide(id, (state) => changeRule(state, { intervalDays, active }))) !== isThere) return false
          if (isThere) model.patched(m, clock.now(), intervalDays, active)
        } else if (step.act === 'delete') {
          if ((await decide(id, deleteRule)) !== isThere) return false
          if (isThere) model.deleted(m)
        } else {
          const done = await decide(id, (state) => requestTurn(state, clock.now()))
          if (done !== (m.status === 'active')) return false
          if (done) model.requested(m, clock.now())
        }
        if (!(await agrees())) return false
      }
      // In the end a service runs that nothing happens to: what is owed is made good, and a day more comes to its turns.
      service.restart()
      service.setAi((aiIsOut = false))
      for (let checks = 0; checks < 4; checks += 1) {
        await clock.advanceTo(clock.now() + CHECK)
        await settle(2)
      }
      return (
        (await agrees()) &&
        RULES.every((id, index) => {
          const posts = service.postsOf(id)
          made += posts.length
          const turns = models[index]?.turns ?? 0
          const isOnce = new Set(posts.map(({ stream }) => stream)).size === posts.length
          return isOnce && posts.length === turns && service.countOf(id, 'Recycled') === turns
        })
      )
    }),
    { numRuns: 500 },
  )
  t.comment(`${made} posts in 500 runs, ${deaths} deaths within a turn, ${failures} failures under a death`)
  t.ok(made > 500)
  t.ok(deaths > 50)
})
