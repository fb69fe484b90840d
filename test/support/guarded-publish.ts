import { Superseded } from '../../commands/superseded.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import { isQueued, post, targetId, type PostState, type TargetState } from '../../domain/post/post.ts'
import type { PostEvent } from '../../domain/post/post-events.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { Platform, PlatformError, PlatformIo } from '../../platforms/kit/platform.ts'
import { attemptPublish, type PublishWork } from '../../reactors/publishing/publish-guard.ts'
import { reconcile } from '../../reactors/publishing/reconcile-publish.ts'
import { DONE, type WorkResult } from '../../reactors/runtime/reactor.ts'

/*
 * The write-ahead guard without a database or a network: one account of one post, its events in memory, a clock that moves when
 * a test says so, and a platform that does what the test says.
 */

export const START = Date.UTC(2026, 0, 1, 12)
export const KEY = { platform: 'x', accountId: 'acc_1' } as const
export const QUEUED: PostEvent = {
  type: 'PostQueued',
  data: {
    ...{ workspaceId: 'ws_1', mediaUrl: 'https://example.com/a.jpg', mediaType: 'image', caption: 'Hello' },
    ...{ captionOverrides: {}, hashtags: [], selections: { x: [KEY.accountId] }, origin: 'api' },
  },
}

export interface GuardedPublish {
  now: number
  /** What the guard may do before it decides and before it asks the platform: time passes, or the process dies. */
  before: (step: string) => void
  /** After an append or an answer. */
  after: (step: string) => void
  readonly events: PostEvent[]
  state(): TargetState
  append(...events: readonly PostEvent[]): void
  /** What was asked of the platform, each with its time limit (ms). */
  readonly calls: (readonly [name: string, timeoutMs: number])[]
  readonly failures: PlatformError[]
  readonly publications: Parameters<NonNullable<PublishWork['onPublished']>>[0][]
  /** How often the account was said to work. */
  successes: number
  readonly bugs: unknown[]
  /** Does what an agenda's row for the account asks for. */
  run(): Promise<WorkResult>
}

export type PlatformOf = Pick<Platform, 'proof' | 'publish' | 'find'> & Partial<Platform>

export function guardedPublish(platform: PlatformOf, more: Partial<PublishWork> = {}): GuardedPublish {
  let state: PostState = post.initial
  /** A decision is known by its name within a run: of two with one name, the second would be taken for a repetition. */
  const steps = new Set<string>()
  const given: GuardedPublish = {
    now: START,
    before: () => undefined,
    after: () => undefined,
    events: [],
    calls: [],
    failures: [],
    publications: [],
    successes: 0,
    bugs: [],
    state: () => {
      const target = isQueued(state) ? state.targets.get(targetId(KEY)) : undefined
      if (!target) throw new Error('The post is not queued')
      return target.state
    },
    append: (...events) => {
      for (const event of events) {
        const metadata = {
          at: isoTime(given.now),
          actor: { kind: 'reactor', id: 'test' },
          correlationId: 'c',
          causationId: 'c',
        }
        state = post.evolve(state, event, metadata as Parameters<typeof post.evolve>[2])
        given.events.push(event)
      }
    },
    run: async () => {
      const target = given.state()
      steps.clear()
      steps.add('')
      try {
        if (target.step === 'queued' || target.step === 'preparing') return await attemptPublish(work, target)
        return target.step === 'submitted' ? await reconcile(work, target) : DONE
      } catch (error) {
        if (error instanceof Superseded) return DONE
        throw error
      }
    },
  }
  let called = ''
  const connector = {
    prepare: () => Promise.resolve({ outcome: 'ready', handle: { made: true } }),
    visibleWithinMs: 60_000,
    ...platform,
  } as unknown as Platform
  const noted =
    <A extends unknown[], R>(name: string, call: (...args: A) => R) =>
    (...args: A): R => {
      called = name
      return call(...args)
    }
  const observed = {
    ...connector,
    prepare: noted('prepare', connector.prepare),
    publish: noted('publish', connector.publish),
    ...(connector.find && { find: noted('find', connector.find) }),
    ...(connector.findByContent && { findByContent: noted('findByContent', connector.findByContent) }),
  } as Platform
  const access = {
    run: async <T>(_: unknown, timeoutMs: number, signal: AbortSignal, ask: (io: PlatformIo) => Promise<T>) => {
      given.before('call')
      const answer = ask({ signal } as PlatformIo)
      given.calls.push([called, timeoutMs])
      const value = await answer
      given.after('call')
      return value
    },
  }
  const work = {
    ...{ access, key: KEY, platform: observed, dueAt: isoTime(START - 5_000), policy: { delaysMs: [10_000, 60_000] } },
    job: {
      ...{ account: { id: KEY.accountId, platform: KEY.platform as PlatformKey, externalId: '1' } },
      ...{ mediaType: 'image', queuedAt: isoTime(START - 5_000), key: 'job' },
    },
    clock: { now: () => given.now, sleep: () => Promise.resolve() },
    logger: { error: (about: unknown) => given.bugs.push(about) },
    signal: new AbortController().signal,
    others: () => () => Promise.resolve({ ruledOut: new Set(), doubt: 'none' }),
    lostAlikeUntil: () => Promise.resolve(undefined),
    onFailure: (failure: PlatformError) => Promise.resolve(void given.failures.push(failure)),
    onSuccess: () => Promise.resolve(void (given.successes += 1)),
    onPublished: (publication: GuardedPublish['publications'][number]) => given.publications.push(publication),
    decide: (step: string, decision: Parameters<PublishWork['decide']>[1]) => {
      if (steps.has(step)) throw new Error(`A decision is named ${step}, which is empty or taken`)
      steps.add(step)
      given.before(step)
      given.append(...decision(state))
      given.after(step)
      return Promise.resolve(state)
    },
    ...more,
  } as unknown as PublishWork
  given.append(QUEUED)
  return given
}
