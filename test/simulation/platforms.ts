import type { PlatformKey } from '../../domain/core/platform.ts'
import {
  PlatformError,
  type Platform,
  type PlatformIo,
  type PublishHandle,
  type PublishJob,
} from '../../platforms/kit/platform.ts'
import { platforms } from '../../platforms/registry.ts'
import type { Engine, Process } from './engine.ts'
import type { Weather } from './faults.ts'
import type { SimulatedLog } from './service.ts'

/** A post as the platform has it. */
export interface LivePost {
  readonly platform: PlatformKey
  readonly accountId: string
  readonly text: string
  readonly handle: string
  /** ms since the epoch. */
  readonly at: number
  readonly visibleAt: number
}

/** The platforms themselves: what they remember, whichever process dies. */
export interface SimulatedPlatforms {
  readonly live: readonly LivePost[]
  /** Visible calls that the log did not announce. */
  readonly unannounced: readonly string[]
  /** The connector of a process: the real one's proof, limits and times, with calls that stay in the simulation. */
  of(process: Process, key: PlatformKey): Platform
}

/** A connector is told how long (ms) its call may take. */
export interface SimulatedIo extends PlatformIo {
  readonly leftMs: number
}

/** What a platform promises is kept with a fifth to spare, for clocks that are wrong. */
const KEPT = 0.8

export function simulatedPlatforms(
  engine: Engine,
  { faults, isCalm, isAway }: Weather,
  log: SimulatedLog,
): SimulatedPlatforms {
  const { random } = engine
  const live: LivePost[] = []
  /** What was taken and is not shown, by handle. */
  const taken = new Map<string, 'processing' | 'rejected'>()
  const unannounced: string[] = []
  /** Visible calls by handle. */
  const calls = new Map<string, number>()
  let handles = 0
  const happens = (share: number) => !isCalm() && random.next() < share
  const idOf = (handle: PublishHandle) => String(handle['id'])

  /** Which posts a platform does not take. It does not change its mind. */
  const unwanted = new Map<string, boolean>()
  const isUnwanted = (post: string) => {
    const known = unwanted.get(post) ?? happens(faults.refusal / 5)
    unwanted.set(post, known)
    return known
  }
  /** What a platform refuses before anything was done. */
  const refuse = (key: PlatformKey, { text }: PublishJob) => {
    if (isAway(key)) throw new PlatformError('retryable', `${key} is not available.`)
    if (isUnwanted(`${key} ${text}`)) throw new PlatformError('permanent', `${key} does not take this.`)
    if (!happens(faults.refusal)) return
    if (random.next() < 0.3) {
      const options = { retryAfterMs: random.between(1_000, 300_000), accountRests: random.next() < 0.5 }
      throw new PlatformError('retryable', `${key} asks to wait.`, options)
    }
    throw new PlatformError('retryable', `${key} failed.`)
  }
  const lostAnswer = (key: PlatformKey) => new PlatformError('ambiguous', `${key} did not answer.`)

  const connector = (process: Process, key: PlatformKey): Platform => {
    const real = platforms[key]
    const quickly = () => ({ thereMs: random.between(5, 200), backMs: random.between(5, 200) })
    const shows = ({ account, text }: PublishJob, handle: string) => {
      const visibleAt = engine.now() + random.next() * real.visibleWithinMs * KEPT
      live.push({ platform: key, accountId: account.id, text, handle, at: engine.now(), visibleAt })
    }
    return {
      ...real,
      prepare: (job, _io, earlier) =>
        process.call({
          ...quickly(),
          effect: () => {
            refuse(key, job)
            const handle = earlier ?? { id: `h${(handles += 1)}` }
            return happens(faults.processing)
              ? { outcome: 'processing', handle, lookAgainMs: random.between(500, 20_000) }
              : { outcome: 'ready', handle }
          },
        }),
      publish: async (job, handle, io) => {
        const proof = real.proof[job.mediaType]
        const id = idOf(handle)
        const nth = (calls.get(id) ?? 0) + 1
        calls.set(id, nth)
        const intents = log.intentsFor(job, id)
        // Repeating is harmless where the platform knows the handle.
        if (intents < (proof === 'idempotent-key' ? 1 : nth)) unannounced.push(`${job.text} on ${key}: call ${nth}`)
        // The process gives up at its deadline, and whatever the platform does, it does before.
        const { leftMs } = io as SimulatedIo
        const isSlow = happens(faults.lostAnswer)
        const thereMs = isSlow ? random.next() * leftMs : random.between(5, Math.min(2_000, leftMs))
        return process.call({
          thereMs,
          backMs: isSlow ? leftMs - thereMs : random.between(5, 200),
          effect: () => {
            const before = live.find((post) => post.handle === id)
            if (proof === 'idempotent-key' && before) return { outcome: 'published', published: { postId: id } }
            if (isSlow && random.next() < 0.5) throw lostAnswer(key)
            refuse(key, job)
            const isTaken = proof === 'handle' && happens(faults.processing)
            if (isTaken) {
              const isRejected = random.next() < 0.1
              taken.set(id, 'processing')
              engine.after(random.between(1_000, 120_000), () => {
                if (isRejected) return void taken.set(id, 'rejected')
                taken.delete(id)
                shows(job, id)
              })
            } else shows(job, id)
            if (isSlow) throw lostAnswer(key)
            return isTaken
              ? { outcome: 'processing', handle, lookAgainMs: random.between(500, 20_000) }
              : { outcome: 'published', published: { postId: id } }
          },
        })
      },
      ...(real.find && {
        find: (job: PublishJob, handle: PublishHandle) =>
          process.call({
            ...quickly(),
            effect: () => {
              const proof = real.proof[job.mediaType]
              if (isAway(key) || happens(faults.refusal)) throw new PlatformError('retryable', `${key} failed.`)
              const id = idOf(handle)
              const state = taken.get(id)
              if (state === 'rejected') return { outcome: 'refused' as const, error: `${key} rejected it.` }
              if (state) return { outcome: 'processing' as const, lookAgainMs: random.between(500, 20_000) }
              const found = live.find(
                ({ text, accountId, visibleAt, ...post }) =>
                  (proof === 'handle' ? post.handle === id : text === job.text && visibleAt <= engine.now()) &&
                  accountId === job.account.id,
              )
              return found
                ? { outcome: 'found' as const, found: { postId: found.handle } }
                : { outcome: 'absent' as const }
            },
          }),
      }),
    } as Platform
  }
  return { live, unannounced, of: connector }
}
