import { handle, type CommandDeps } from '../../commands/handle.ts'
import { queuePost } from '../../commands/queue-post.ts'
import { retryPost } from '../../commands/retry-post.ts'
import { cancelSchedule, editScheduledPost, schedulePost } from '../../commands/schedule-post.ts'
import { connectAccount } from '../../commands/connect-account.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { streamName, type NewEvent } from '../../domain/core/event.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { account } from '../../domain/account/account.ts'
import { dueAtMoment } from '../../domain/post/wall-time.ts'
import { post, type PostState } from '../../domain/post/post.ts'
import type { PostEvent } from '../../domain/post/post-events.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { PLATFORM_KEYS, type PlatformKey } from '../../domain/core/platform.ts'
import { platforms } from '../../platforms/registry.ts'
import type { Engine, Process } from './engine.ts'
import { STORM_MS } from './faults.ts'

const WORKSPACE = 'ws_1'
const MOST_POSTS = 4
const MOST_ACCOUNTS = 3
const REPEATED_AFTER_MS = 2_000

/** What users asked for, and were told. */
export interface Asked {
  readonly posts: Map<string, AskedPost>
}
export interface AskedPost {
  readonly selections: Readonly<Partial<Record<PlatformKey, readonly string[]>>>
  isAccepted: boolean
  /** Canceled, and told so. */
  isCanceled: boolean
}

export const accountOf = (platform: string) => `acc_${platform}`

/** The log's first events: one account of each platform is connected. */
export const CONNECTED: readonly (readonly [stream: string, event: NewEvent])[] = PLATFORM_KEYS.map((platform) => {
  const command = { workspaceId: WORKSPACE, platform, externalId: platform, label: platform }
  const [event] = connectAccount(account.initial, command)
  const metadata = {
    at: isoTime(0),
    actor: { kind: 'cli', id: 'cli' },
    ...{ correlationId: 'c', causationId: 'c' },
  } as const
  return [
    streamName(account, accountOf(platform)),
    { ...event, id: derivedId('connect', platform), metadata } as NewEvent,
  ]
})

const causedBy = (commandId: string) => ({
  commandId,
  actor: { kind: 'api-key' as const, id: 'key_1' },
  correlationId: commandId,
})

/** Users who publish, schedule, cancel, move and retry, and repeat each request until it is answered. */
export function users(engine: Engine, api: Process, deps: CommandDeps): Asked {
  const { random, after, now } = engine
  const posts = new Map<string, AskedPost>()
  let commands = 0

  const ask = (id: string, decide: (state: PostState) => readonly PostEvent[], onDone: (accepted: boolean) => void) => {
    const command = causedBy(`command ${(commands += 1)}`)
    let [isAnswered, waitsFor] = [false, -1]
    const answer = (accepted: boolean) => {
      isAnswered = true
      onDone(accepted)
    }
    const request = () => {
      if (isAnswered) return
      after(REPEATED_AFTER_MS, request)
      // As long as the process lives, the connection does.
      if (!api.isUp() || waitsFor === api.deaths()) return
      waitsFor = api.deaths()
      void handle(deps, post, id, command, decide).then(
        () => answer(true),
        // Anything else is a 500: the client repeats it.
        (error: unknown) => (error instanceof Refusal ? answer(false) : (waitsFor = -1)),
      )
    }
    request()
  }

  for (let left = 1 + random.below(MOST_POSTS); left > 0; left -= 1) {
    const id = `post_${left}`
    const mediaType = random.pick(['image', 'video'] as const)
    const keys = PLATFORM_KEYS.filter((key) => platforms[key].proof[mediaType])
    const chosen = new Set(Array.from({ length: 1 + random.below(MOST_ACCOUNTS) }, () => random.pick(keys)))
    const selections = Object.fromEntries([...chosen].map((key) => [key, [accountOf(String(key))]]))
    const content = {
      ...{ workspaceId: WORKSPACE, mediaUrl: 'https://example.com/a.jpg', mediaType, caption: id },
      ...{ captionOverrides: {}, hashtags: [], selections },
    }
    after(random.below(STORM_MS / 2), () => {
      const dueAt = random.next() < 0.5 ? now() + random.between(1_000, STORM_MS) : undefined
      const asked: AskedPost = { selections, isAccepted: false, isCanceled: false }
      posts.set(id, asked)
      const due = dueAt === undefined ? undefined : dueAtMoment(isoTime(dueAt), 'UTC')
      ask(
        id,
        (state) => (due ? schedulePost(state, content, due, 0) : queuePost(state, { ...content, origin: 'api' })),
        () => void (asked.isAccepted = true),
      )
      if (dueAt === undefined) return
      if (random.next() < 0.4) {
        after(random.between(0, STORM_MS), () =>
          ask(id, cancelSchedule, (accepted) => void (asked.isCanceled = accepted)),
        )
      }
      if (random.next() < 0.3) {
        after(random.between(0, dueAt - now()), () => {
          const later = now() + random.between(0, STORM_MS)
          const time = { scheduledAtUtc: isoTime(later) }
          ask(
            id,
            (state) => editScheduledPost(state, { time }, 0),
            () => undefined,
          )
        })
      }
    })
    for (const key of chosen) {
      for (let retries = random.below(3); retries > 0; retries -= 1) {
        after(random.between(60_000, 2 * STORM_MS), () =>
          ask(
            id,
            (state) => retryPost(state, String(key)),
            () => undefined,
          ),
        )
      }
    }
  }
  return { posts }
}
