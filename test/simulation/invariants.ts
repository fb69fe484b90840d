import type { RecordedEvent } from '../../domain/core/event.ts'
import { isQueued, isSettled, post, targetId, type PostState, type TargetState } from '../../domain/post/post.ts'
import { fold } from '../../commands/handle.ts'
import { accountOf, type Asked, type AskedPost } from './users.ts'
import type { LivePost } from './platforms.ts'

/** All that is known of a run in the end. */
export interface Ending {
  readonly asked: Asked
  readonly live: readonly LivePost[]
  eventsOf(postId: string): readonly RecordedEvent[]
  /** Visible calls that the log did not announce. */
  readonly unannounced: readonly string[]
  readonly bugs: readonly unknown[]
  readonly isOver: boolean
}

/** One account of one post. */
interface Target {
  readonly name: string
  readonly asked: AskedPost
  readonly state: TargetState | undefined
  readonly live: readonly LivePost[]
  readonly events: readonly RecordedEvent[]
  /** Retries while its outcome was unknown: who asks for one has been told that the post may be there. */
  readonly retriesInDoubt: number
}

type Finding = (ending: Ending, targets: readonly Target[]) => readonly string[]

/** What must be true after every run: each sentence, and what breaks it. */
export const INVARIANTS = {
  'A post is live at most once on each account.': (_, targets) =>
    targets
      .filter(({ live, retriesInDoubt }) => live.length > 1 + retriesInDoubt)
      .map(({ name, live }) => `${name} is live ${live.length} times`),

  'What was accepted reaches an outcome.': ({ isOver }, targets) =>
    isOver
      ? targets
          .filter(({ asked, state }) => asked.isAccepted && !asked.isCanceled && !(state && isSettled(state)))
          .map(({ name, state }) => `${name} is ${state?.step ?? 'not queued'}`)
      : ['something is still going on after hours in which everything worked'],

  'What is shown as published is live, and what is shown as failed is not.': (_, targets) =>
    targets.flatMap(({ name, state, live, retriesInDoubt }) => {
      const isLive = live.length > 0
      if (state?.step === 'published' && !isLive) return [`${name} is published but not live`]
      const isCertain = state?.step === 'failed' && state.code !== 'unknown' && retriesInDoubt === 0
      return isCertain && isLive ? [`${name} failed (${state.code}) but is live`] : []
    }),

  'Each visible call has an intent of its own in the log, unless repeating it is harmless.': ({ unannounced }) =>
    unannounced,

  'A canceled post is not live.': (_, targets) =>
    targets.filter(({ asked, live }) => asked.isCanceled && live.length > 0).map(({ name }) => `${name} is live`),

  'No post is live before its time.': (_, targets) =>
    targets.flatMap(({ name, events, live }) => {
      const due = Math.min(...dueTimes(events)) - CLOCKS_MS
      return live.filter(({ at }) => at < due).map(() => `${name} was early`)
    }),

  'An outcome changes only when the user retries.': ({ asked, eventsOf }) =>
    [...asked.posts.keys()].flatMap((postId) => changed(postId, eventsOf(postId))),

  'Nothing fails in a way that the code does not expect.': ({ bugs }) => bugs.map(String),
} as const satisfies Readonly<Record<string, Finding>>

export type Invariant = keyof typeof INVARIANTS

/** @returns what breaks each invariant */
export function broken(ending: Ending): Readonly<Record<Invariant, readonly string[]>> {
  const targets = targetsOf(ending)
  const all = Object.entries(INVARIANTS).map(([name, find]) => [name, find(ending, targets)])
  return Object.fromEntries(all) as Record<Invariant, readonly string[]>
}

/** How far clocks are wrong at most. */
const CLOCKS_MS = 3_000

function targetsOf({ asked, live, eventsOf }: Ending): readonly Target[] {
  return [...asked.posts].flatMap(([postId, post]) => {
    const events = eventsOf(postId)
    const state = stateOf(events)
    return Object.keys(post.selections).map((platform) => {
      const key = { platform, accountId: accountOf(platform) }
      return {
        ...{ name: `${postId} on ${platform}`, asked: post, events },
        state: isQueued(state) ? state.targets.get(targetId(key))?.state : undefined,
        live: live.filter((found) => found.platform === platform && found.text === postId),
        retriesInDoubt: retriesInDoubt(events, platform),
      }
    })
  })
}

const stateOf = (events: readonly RecordedEvent[]): PostState => fold(post, events)

function retriesInDoubt(events: readonly RecordedEvent[], platform: string): number {
  let [isInDoubt, retries] = [false, 0]
  for (const { type, data } of events) {
    const about = data as { readonly platform?: string; readonly code?: string }
    if (about.platform !== platform) continue
    if (type === 'AccountPublishFailed') isInDoubt = about.code === 'unknown'
    if (type === 'RetryRequested' && isInDoubt) retries += 1
  }
  return retries
}

function dueTimes(events: readonly RecordedEvent[]): readonly number[] {
  return events.flatMap(({ type, data, metadata }) => {
    if (type === 'PostScheduled' || type === 'PostRescheduled') return [Date.parse((data as { dueAt: string }).dueAt)]
    return type === 'PostQueued' && events[0]?.type === 'PostQueued' ? [Date.parse(metadata.at)] : []
  })
}

function changed(postId: string, events: readonly RecordedEvent[]): readonly string[] {
  let state: PostState = post.initial
  const broken: string[] = []
  for (const event of events) {
    const next = fold(post, [event], state)
    if (isQueued(state) && isQueued(next) && event.type !== 'RetryRequested') {
      for (const [id, { state: before }] of state.targets) {
        const after = next.targets.get(id)?.state
        if (isSettled(before) && after?.step !== before.step) {
          broken.push(`${postId} on ${id}: ${before.step}, then ${after?.step} by ${event.type}`)
        }
      }
    }
    state = next
  }
  return broken
}
