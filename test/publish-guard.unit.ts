import fc from 'fast-check'
import t from 'tap'
import type { TargetState } from '../domain/post/post.ts'
import type { PostEvent } from '../domain/post/post-events.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { PlatformError, type PlatformErrorKind, type Proof } from '../platforms/kit/platform.ts'
import { guardedPublish, KEY, START, type GuardedPublish, type PlatformOf } from './support/guarded-publish.ts'

const PROOFS = ['idempotent-key', 'handle', 'searchable', 'opaque'] as const
const KINDS = ['permanent', 'retryable', 'needs-reauth', 'forbidden', 'ambiguous'] as const
const VISIBLE_WITHIN_MS = 60_000
const CALL_MS = 30_000
const HOUR_MS = 3_600_000
const CONCLUSIVE = START + CALL_MS + VISIBLE_WITHIN_MS
const UNTIL = START + CALL_MS + HOUR_MS
const UNKNOWN = 'The outcome is unknown: the platform may have accepted the post, but its response was lost.'
const FAILED_AS = { permanent: 'permanent', forbidden: 'permanent', 'needs-reauth': 'needs_reauth' } as const

const published = { postId: 'p1', url: 'https://x.com/p1' }
const handle = { n: 1 }
const ready = { outcome: 'ready', handle } as const
const refusal = (kind: PlatformErrorKind, more: ConstructorParameters<typeof PlatformError>[2] = {}) =>
  new PlatformError(kind, `It is ${kind}.`, more)
const answers = <T>(value: T) => ({ answer: () => Promise.resolve(value), value })
const rejects = (error: unknown) => () => Promise.reject<never>(error as Error)

/** A platform whose calls have these answers; an error is thrown. */
function platform(
  proof: Proof,
  given: { prepare?: unknown; publish?: unknown; find?: unknown; findByContent?: unknown } & Partial<
    Pick<PlatformOf, 'prepareTimeoutMs' | 'publishTimeoutMs'>
  > = {},
): PlatformOf {
  const { prepare = ready, publish = { outcome: 'published', published }, find, findByContent, ...more } = given
  const answering = (value: unknown) => (value instanceof Error ? rejects(value) : answers(value).answer)
  return {
    ...{ proof: { image: proof }, visibleWithinMs: VISIBLE_WITHIN_MS, ...more },
    ...{ prepare: answering(prepare), publish: answering(publish) },
    ...(find !== undefined && { find: answering(find) }),
    ...(findByContent !== undefined && { findByContent: answering(findByContent) }),
  } as unknown as PlatformOf
}

const attempt = (n: number) => ({ ...KEY, attempt: n })
const started = (n = 1): PostEvent => ({ type: 'PublishStarted', data: attempt(n) })
const prepared = (of: object = handle): PostEvent =>
  ({ type: 'PublishPrepared', data: { ...attempt(1), workspaceId: 'ws_1', handle: of } }) as PostEvent
const lost = (error: string, lookAt: number): PostEvent => ({
  type: 'PublishAnswerLost',
  data: { ...attempt(1), error, lookAt: isoTime(lookAt), until: isoTime(UNTIL) },
})
const failure = (code: string, error: string) => ({
  type: 'AccountPublishFailed',
  data: { ...attempt(1), code, error },
})
const isPublished = { type: 'AccountPublished', data: { ...attempt(1), workspaceId: 'ws_1', ...published } }
const deferred = (error: string, at: number) => ({
  type: 'PublishDeferred',
  data: { ...attempt(1), error, retryAt: isoTime(at) },
})
const done = { kind: 'done' }
const parked = (until: number) => ({ kind: 'park', until })

/** What a row of the agenda leads to, without the events before it and the end of the whole post. */
async function ran(given: GuardedPublish) {
  const before = given.events.length
  const result = await given.run()
  return { result, events: given.events.slice(before).filter(({ type }) => type !== 'PostFinished') }
}

t.test('given a queued post', async (t) => {
  await t.test('when the platform takes it, then each step is recorded before the next one', async (t) => {
    const given = guardedPublish(platform('opaque'))
    const seen: string[] = []
    given.after = (step) => void seen.push(step)
    t.same(await ran(given), { result: done, events: [started(), prepared(), isPublished] })
    t.same(seen, ['start', 'call', 'prepared', 'call', 'published'])
    t.same(given.calls, [
      ['prepare', 15 * 60_000],
      ['publish', CALL_MS],
    ])
    t.same(given.publications, [{ platform: 'x', lateMs: 5_000, reconciled: false }])
    t.equal(given.successes, 1)
  })
  await t.test('when it has a first comment, then that is queued', async (t) => {
    const job = { mediaType: 'image', firstComment: 'First!', account: { platform: 'x' } }
    const given = guardedPublish(platform('opaque'), { job } as never)
    t.same((await ran(given)).events.at(-1), { type: 'FirstCommentQueued', data: attempt(1) })
  })
  await t.test('when a look-alike is lost, then it waits, before it is prepared and after', async (t) => {
    const at = (waits: (number | undefined)[]) =>
      guardedPublish(platform('searchable'), { lostAlikeUntil: () => Promise.resolve(waits.shift()) })
    t.same(await ran(at([START + 1])), { result: parked(START + 1), events: [] })
    const later = at([undefined, START + 2])
    t.same(await ran(later), { result: parked(START + 2), events: [started()] })
    t.same(
      later.calls.map(([name]) => name),
      ['prepare'],
    )
  })
  await t.test('when the platform has limits of its own, then they hold', async (t) => {
    const given = guardedPublish(platform('opaque', { prepareTimeoutMs: 7_000, publishTimeoutMs: 90_000 }))
    given.after = (step) => void (step === 'prepared' && (given.now += 4_000))
    await given.run()
    t.same(given.calls, [
      ['prepare', 7_000],
      ['publish', 86_000],
    ])
  })
  await t.test('when the call is allowed too late, then it is not made', async (t) => {
    for (const [late, calls] of [
      [CALL_MS - 1, ['prepare', 'publish']],
      [CALL_MS, ['prepare']],
    ] as const) {
      const given = guardedPublish(platform('searchable'))
      given.after = (step) => void (step === 'prepared' && (given.now += late))
      const { result } = await ran(given)
      t.same(
        given.calls.map(([name]) => name),
        calls,
      )
      t.same(result, late === CALL_MS ? parked(CONCLUSIVE) : done)
    }
  })
  await t.test('when another worker goes ahead, then nothing visible happens', async (t) => {
    for (const step of ['call', 'prepared']) {
      const given = guardedPublish(platform('opaque'))
      given.before = (at) => {
        if (at !== step || given.events.length > 2) return
        given.append(started(2))
      }
      t.same((await ran(given)).result, done, step)
      t.same(
        given.calls.map(([name]) => name),
        ['prepare'],
        step,
      )
    }
  })
  await t.test('when preparing fails, then it ends, or waits as long as policy and platform ask for', async (t) => {
    for (const kind of KINDS) {
      const given = guardedPublish(platform('opaque', { prepare: refusal(kind, { retryAfterMs: 12_000 }) }))
      const [start, end, ...more] = (await ran(given)).events
      const isOver = kind in FAILED_AS
      t.same([start, more], [started(), []])
      const code = FAILED_AS[kind as keyof typeof FAILED_AS]
      t.same(end, isOver ? failure(code, `It is ${kind}.`) : deferred(`It is ${kind}.`, START + 12_000), kind)
      t.same(
        given.failures.map((failure) => failure.kind),
        [kind],
      )
    }
  })
  await t.test('when it fails again and again, then it gives up', async (t) => {
    const given = guardedPublish(platform('opaque', { prepare: refusal('retryable') }))
    await given.run()
    await given.run()
    t.match(given.state(), { step: 'queued', attempts: 2, notBefore: isoTime(START + 60_000) })
    await given.run()
    t.match(given.state(), { step: 'failed', attempt: 3, code: 'gave_up' })
  })
  await t.test('when the platform processes it, then it is looked at again, without a new attempt', async (t) => {
    const processing = { outcome: 'processing', handle, lookAgainMs: 3_000 }
    const progressed = (of: object) => ({
      type: 'PublishProgressed',
      data: { ...attempt(1), workspaceId: 'ws_1', handle: of, lookAt: isoTime(START + 3_000) },
    })
    let answer = processing
    const seen: unknown[] = []
    const of = platform('opaque')
    const prepare = (_: unknown, __: unknown, earlier: unknown) => (seen.push(earlier), Promise.resolve(answer))
    const given = guardedPublish({ ...of, prepare } as never)
    t.same(await ran(given), { result: done, events: [started(), progressed(handle)] })
    t.same(await ran(given), { result: parked(START + 3_000), events: [] }, 'nothing new')
    answer = { ...processing, handle: { n: 2 } }
    t.same(await ran(given), { result: done, events: [progressed({ n: 2 })] }, 'a new handle')
    t.same(seen, [undefined, handle, handle])
  })
  await t.test(
    'when it is processed again after a failure, then that is recorded, although the handle is the same',
    async (t) => {
      const given = guardedPublish(platform('opaque', { prepare: { outcome: 'processing', handle, lookAgainMs: 1 } }))
      given.append(started(), prepared(), deferred('Later.', START) as PostEvent)
      t.match((await ran(given)).events, [started(2), { type: 'PublishProgressed', data: { handle } }])
    },
  )
  await t.test('when a worker died while preparing, then the next one starts another attempt', async (t) => {
    const processing = { outcome: 'processing', handle, lookAgainMs: 1 }
    const given = guardedPublish(platform('opaque', { prepare: processing }))
    given.append(started())
    t.match((await ran(given)).events, [started(2), { type: 'PublishProgressed', data: { attempt: 2 } }])
  })
})

t.test('given a visible call', async (t) => {
  const outcome = async (proof: Proof, publish: unknown) => {
    const given = guardedPublish(platform(proof, { publish }))
    const { result, events } = await ran(given)
    return { result, events: events.slice(2), given }
  }
  for (const proof of PROOFS) {
    await t.test(`when it is refused, then it ends, whatever the proof (${proof})`, async (t) => {
      for (const [kind, code] of Object.entries(FAILED_AS)) {
        const { events } = await outcome(proof, refusal(kind as PlatformErrorKind))
        t.same(events, [failure(code, `It is ${kind}.`)])
      }
      const { events } = await outcome(proof, refusal('retryable', { retryAfterMs: 90_000 }))
      t.same(events, [deferred('It is retryable.', START + 90_000)])
    })
    await t.test(`when its answer is lost, then it is looked for by ${proof}`, async (t) => {
      const { events } = await outcome(proof, refusal('ambiguous'))
      const lookAt = proof === 'searchable' ? CONCLUSIVE : START + 1_000
      const error = 'It is ambiguous.'
      t.same(events, [proof === 'opaque' ? failure('unknown', `${UNKNOWN} ${error}`) : lost(error, lookAt)])
    })
  }
  await t.test('when the platform keeps processing it, then that is recorded where there is a handle', async (t) => {
    const taken = { ...attempt(1), workspaceId: 'ws_1', handle: { n: 2 }, lookAt: isoTime(START + 4_000) }
    const processing = { outcome: 'processing', lookAgainMs: 4_000 }
    const { events } = await outcome('handle', { ...processing, handle: { n: 2 } })
    t.same(events, [{ type: 'PublishProgressed', data: taken }])
    const bare = await outcome('handle', processing)
    t.same([bare.result, bare.events], [parked(START + 4_000), []])
  })
  await t.test('when the connector has a bug, then that is logged, and nobody knows what happened', async (t) => {
    const { events, given } = await outcome('opaque', new TypeError('secret detail'))
    t.match(events, [{ type: 'AccountPublishFailed', data: { code: 'unknown' } }])
    t.notMatch(JSON.stringify(events), /secret detail/)
    t.match(given.bugs, [{ err: { message: 'secret detail' } }])
  })
  await t.test('when its media type has no proof, then its outcome is taken to be unknown', async (t) => {
    const given = guardedPublish({ ...platform('searchable', { publish: refusal('ambiguous') }), proof: {} })
    await given.run()
    t.match(given.state(), { step: 'failed', code: 'unknown' })
  })
  await t.test('when the service stops meanwhile, then nothing is recorded', async (t) => {
    const stop = new AbortController()
    const of = { ...platform('searchable'), publish: () => (stop.abort(), Promise.reject(refusal('ambiguous'))) }
    const given = guardedPublish(of as never, { signal: stop.signal })
    await t.rejects(given.run(), { message: 'It is ambiguous.' })
    t.match(given.state(), { step: 'submitted' })
    t.notMatch(given.state(), { lost: String })
  })
})

t.test('given a call whose worker never reported back', async (t) => {
  interface Given {
    readonly proof: Proof
    readonly of?: Parameters<typeof platform>[1]
    readonly now?: number
    readonly events?: readonly PostEvent[]
    readonly handle?: object
  }
  const reconciled = async ({ proof, of = {}, now = START, events = [], handle: by }: Given) => {
    const given = guardedPublish(platform(proof, of))
    given.append(started(), prepared(by))
    given.now = START + 1_000
    given.append(...events)
    given.now = now
    const { result, events: recorded } = await ran(given)
    return { result, events: recorded, given }
  }
  const unknown = (why: string) => [failure('unknown', `${UNKNOWN} ${why}`)]
  const asked = [
    failure('unknown', 'unknown') as PostEvent,
    { type: 'RetryRequested', data: { platform: 'x', accountIds: [KEY.accountId] } } as PostEvent,
  ]

  await t.test('when repeating it is harmless, then it is made again', async (t) => {
    const proof = 'idempotent-key'
    const whole = await reconciled({ proof })
    t.same(whole.events, [isPublished])
    t.same(whole.given.calls, [['publish', CALL_MS]])
    t.match(whole.given.publications, [{ reconciled: true }])
    for (const kind of KINDS) {
      const { result, events } = await reconciled({ proof, of: { publish: refusal(kind) } })
      const error = `It is ${kind}.`
      if (kind === 'needs-reauth') t.same(events, unknown(error))
      else if (kind === 'permanent' || kind === 'forbidden') t.same(events, [failure('permanent', error)])
      else t.same([result, events], [parked(START + 10_000), []], kind)
    }
    const startOver = await reconciled({ proof, of: { publish: refusal('retryable', { startOver: true }) } })
    t.same(startOver.events, [deferred('It is retryable.', START + 10_000)])
  })
  await t.test('when another worker defers it while it is repeated, then what was published is recorded', async (t) => {
    const repeatedWhile = (...events: readonly PostEvent[]) => {
      const given = guardedPublish(platform('idempotent-key'))
      given.append(started(), prepared())
      given.before = (step) => step === 'call' && given.append(...events)
      return ran(given)
    }
    const isDeferred = deferred('It is retryable.', START + 10_000) as PostEvent
    t.same((await repeatedWhile(isDeferred)).events, [isDeferred, isPublished])
    const isOver = [isDeferred, started(2)]
    t.same((await repeatedWhile(...isOver)).events, isOver, 'but not into the next attempt')
  })
  await t.test('when it cannot be reached, then it is tried for an hour, as often as it allows', async (t) => {
    const at = (now: number, retryAfterMs?: number, events: readonly PostEvent[] = []) =>
      reconciled({
        ...{ proof: 'idempotent-key', now, events },
        of: { publish: refusal('ambiguous', { retryAfterMs }) },
      })
    t.same((await at(START, 45_000)).result, parked(START + 45_000))
    t.same((await at(UNTIL - 5_000)).result, parked(UNTIL))
    t.same((await at(UNTIL)).events, unknown('It is ambiguous.'))
    t.same((await at(UNTIL, undefined, asked)).result, parked(UNTIL + 1_000), 'an hour from when a user has retried')
  })
  await t.test('when there is no way to look, then its outcome is unknown', async (t) => {
    const why = 'The platform offers no way to look it up.'
    t.same((await reconciled({ proof: 'opaque', of: { find: { outcome: 'absent' } } })).events, unknown(why))
    t.same((await reconciled({ proof: 'searchable' })).events, unknown(why))
    const withReason = await reconciled({ proof: 'opaque', events: [lost('Gone.', START)] })
    t.same(withReason.events, unknown(`${why} Gone.`))
    const again = await reconciled({ proof: 'opaque', events: asked })
    t.same(again.events, [deferred(why, START)], 'a user who knows that has retried')
  })
  await t.test('when it is searched for, then only once it must be visible', async (t) => {
    const of = { find: { outcome: 'absent' } }
    const early = await reconciled({ proof: 'searchable', of, now: CONCLUSIVE - 1 })
    t.same(early.events, [lost('The response to the post was lost.', CONCLUSIVE)])
    const known = [lost('Gone.', START)]
    const noted = await reconciled({ proof: 'searchable', of, now: CONCLUSIVE - 1, events: known })
    t.same([noted.result, noted.events, noted.given.calls], [parked(CONCLUSIVE), [], []])
    const due = await reconciled({ proof: 'searchable', of, now: CONCLUSIVE, events: known })
    t.same(due.events, [deferred('Gone. The post is not on the platform.', CONCLUSIVE + 10_000)])
    t.same(due.given.calls, [['find', CALL_MS]])
    const silent = await reconciled({ proof: 'searchable', of, now: CONCLUSIVE })
    t.match(silent.events, [{ data: { error: 'The response to the post was lost. The post is not on the platform.' } }])
  })
  await t.test('when the platform gave a handle, then it is asked at once, and its absence waits', async (t) => {
    const of = (outcome: object) => ({ find: outcome })
    const absent = await reconciled({ proof: 'handle', of: of({ outcome: 'absent' }) })
    t.same([absent.result, absent.events], [parked(CONCLUSIVE), []])
    const taken = [{ type: 'PublishProgressed', data: { ...attempt(1), handle, lookAt: isoTime(START) } } as PostEvent]
    const found = { outcome: 'found', found: published }
    for (const [proof, events, isReconciled] of [
      ['handle', [], true],
      ['searchable', taken, false],
    ] as const) {
      const whole = await reconciled({ proof, of: of(found), events })
      t.same(whole.events, [isPublished], proof)
      t.match(whole.given.publications, [{ reconciled: isReconciled }], proof)
    }
  })
  await t.test('when the search has an outcome, then that is recorded', async (t) => {
    const found = (find: unknown) => reconciled({ proof: 'handle', of: { find } })
    const processing = await found({ outcome: 'processing', lookAgainMs: 2_000 })
    t.same([processing.result, processing.events], [parked(START + 2_000), []])
    t.same((await found({ outcome: 'refused', error: 'Too long.' })).events, [failure('permanent', 'Too long.')])
    const why = 'The platform cannot confirm whether it was published.'
    t.same((await found({ outcome: 'unknown' })).events, unknown(why))
    for (const kind of KINDS) {
      const { result, events } = await found(refusal(kind))
      if (kind in FAILED_AS) t.same(events, unknown(`It is ${kind}.`))
      else t.same([result, events], [parked(START + 10_000), []])
    }
  })
  await t.test('when the call itself is missing from a restored log, then its content is searched for', async (t) => {
    const forgotten = (findByContent?: unknown, events: readonly PostEvent[] = []) =>
      reconciled({ proof: 'idempotent-key', of: { findByContent }, events, handle: { forgotten: true } })
    const none = 'The platform offers no way to look it up.'
    t.same((await forgotten()).events, unknown(none))
    const found = await forgotten({ outcome: 'found', found: published })
    t.same(found.events, [isPublished])
    t.same(found.given.calls, [['findByContent', 60_000]])
    t.match(found.given.publications, [{ reconciled: true }])
    const absent = 'The post is not on the platform.'
    t.same((await forgotten({ outcome: 'absent' })).events, [deferred(absent, START + 10_000)])
    const why = 'The platform cannot confirm whether it was published.'
    t.same((await forgotten({ outcome: 'unknown' })).events, unknown(why))
    t.same((await forgotten(refusal('permanent'))).result, parked(START + 10_000))
  })
})

/*
 * Whatever the platform answers, however long it takes, and wherever a worker dies: the post is on the platform at most once,
 * and what the log says in the end is true.
 */

interface Act {
  readonly answer: 'good' | PlatformErrorKind | 'bug'
  /** Whether a call that has no good answer was carried out. */
  readonly isMade: boolean
  readonly takesMs: number
  /** How long the result takes to be visible, as a part of what the platform promises. */
  readonly hidden: number
  readonly dies?: 'before' | 'after'
}

class Death extends Error {}

async function played(proof: Proof, acts: readonly Act[], deaths: readonly number[]) {
  const script = [...acts]
  const next = (): Act => script.shift() ?? { answer: 'good', isMade: true, takesMs: 10, hidden: 0 }
  const live: { readonly by: string; readonly seen: number }[] = []
  let handles = 0

  /** Plays one call. Its effect comes within the time of the call, also when the caller is gone. */
  async function call<T>(good: () => T, limitMs: number, effect?: (at: number, act: Act) => void): Promise<T> {
    const act = next()
    if (act.dies === 'before') throw new Death()
    const isLate = act.takesMs > limitMs
    const isLost = act.answer === 'ambiguous' || act.answer === 'bug' || isLate
    const spent = Math.min(act.takesMs, limitMs)
    if (act.answer === 'good' || (isLost && act.isMade)) effect?.(given.now + spent, act)
    if (act.dies === 'after') throw new Death()
    given.now += spent
    if (isLate) throw refusal('ambiguous')
    if (act.answer === 'good') return good()
    throw act.answer === 'bug' ? new TypeError('a bug') : refusal(act.answer)
  }

  const of = {
    proof: { image: proof },
    visibleWithinMs: VISIBLE_WITHIN_MS,
    prepare: () => call(() => ({ outcome: 'ready', handle: { n: (handles += 1) } }), 15 * 60_000),
    publish: (_: unknown, handle: object) => {
      const by = JSON.stringify(handle)
      const isRepeat = proof === 'idempotent-key' && live.some((made) => made.by === by)
      // What it has taken once, it does not refuse.
      while (isRepeat && ['permanent', 'forbidden'].includes(script[0]?.answer ?? '')) script.shift()
      const effect = (at: number, { hidden }: Act) =>
        isRepeat || live.push({ by, seen: at + (proof === 'searchable' ? hidden * VISIBLE_WITHIN_MS : 0) })
      return call(() => ({ outcome: 'published', published }), CALL_MS, effect)
    },
    find: (_: unknown, handle: object) =>
      call(() => {
        const by = JSON.stringify(handle)
        const isThere = live.some((made) => made.seen <= given.now && (proof === 'searchable' || made.by === by))
        return isThere ? { outcome: 'found', found: published } : { outcome: 'absent' }
      }, CALL_MS),
  } as unknown as PlatformOf
  const given = guardedPublish(of)
  let appends = 0
  const mayDie = (step: string, moment: number) => {
    if (step !== 'call' && deaths.includes(2 * appends + moment)) {
      appends += 1
      throw new Death()
    }
  }
  given.before = (step) => mayDie(step, 0)
  given.after = (step) => {
    mayDie(step, 1)
    if (step !== 'call') appends += 1
  }
  for (let turn = 0; turn < 500; turn += 1) {
    const state = given.state()
    if (state.step === 'published' || state.step === 'failed') return { state, live: live.length, given }
    try {
      if (state.step === 'queued' && state.notBefore !== undefined)
        given.now = Math.max(given.now, Date.parse(state.notBefore))
      const result = await given.run()
      if (result.kind === 'park') given.now = Math.max(given.now, result.until)
      const last = given.events.at(-1)
      if (last?.type === 'PublishAnswerLost') given.now = Math.max(given.now, Date.parse(last.data.lookAt))
    } catch (error) {
      if (!(error instanceof Death)) throw error
    }
  }
  throw new Error('It never ends.')
}

t.test('given any answers, delays and deaths, then it is published at most once, and the log is right', async (t) => {
  const act: fc.Arbitrary<Act> = fc.record(
    {
      answer: fc.constantFrom('good' as const, ...KINDS, 'bug' as const),
      isMade: fc.boolean(),
      takesMs: fc.constantFrom(0, 5_000, CALL_MS, CALL_MS + 1),
      hidden: fc.constantFrom(0, 0.5, 1),
      dies: fc.constantFrom('before' as const, 'after' as const),
    },
    { requiredKeys: ['answer', 'isMade', 'takesMs', 'hidden'] },
  )
  const ends = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PROOFS),
      fc.array(act, { maxLength: 8 }),
      fc.array(fc.nat(20), { maxLength: 3 }),
      async (proof, acts, deaths) => {
        const { state, live } = await played(proof, acts, deaths)
        const end = endOf(state)
        ends.set(end, (ends.get(end) ?? 0) + 1)
        if (live > 1) throw new Error(`It is there ${live} times.`)
        if (end === 'published' && live !== 1) throw new Error('It is not there.')
        if (end !== 'published' && end !== 'unknown' && live !== 0) throw new Error(`${end}, and it is there.`)
      },
    ),
    { numRuns: 3_000 },
  )
  t.strictSame([...ends.keys()].sort(), ['gave_up', 'needs_reauth', 'permanent', 'published', 'unknown'])
})

function endOf(state: TargetState): string {
  return state.step === 'failed' ? state.code : state.step
}
