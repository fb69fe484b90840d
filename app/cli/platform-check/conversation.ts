import type { MediaType } from '../../../domain/core/platform.ts'
import type { PublishedPart } from '../../../domain/post/publish-result.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import {
  PlatformError,
  type OtherPosts,
  type Platform,
  type PlatformAccount,
  type PlatformIo,
  type Prepared,
  type Published,
  type PublishHandle,
  type PublishJob,
} from '../../../platforms/kit/platform.ts'
import { Unsupported } from '../../../platforms/kit/unsupported.ts'
import { recording, type RecordedCall } from './recording.ts'

/** One part of the conversation with a platform. */
export interface Step {
  readonly name: string
  readonly outcome: 'ok' | 'failed' | 'skipped'
  /** What was found, or why it failed or was skipped. */
  readonly details: string
  readonly calls: readonly RecordedCall[]
}

export interface Talk {
  readonly platform: Platform
  readonly account: PlatformAccount
  readonly mediaUrl: string
  readonly mediaType: MediaType
  /** Whether to stop before anything is published. */
  readonly dry: boolean
  /** Identifies the test post. */
  readonly key: string
  run<T>(timeoutMs: number, work: (io: PlatformIo) => Promise<T>): Promise<T>
  progress(line: string): void
}

const STEP_MS = 60_000
const PREPARE_MS = 15 * 60_000
/** How long to wait for a platform that keeps processing. */
const PATIENCE_MS = 20 * 60_000
const HOUR_MS = 3_600_000
const TEXT = 'Test post of Fanfare. It will be deleted in a moment.'
const COMMENT = 'Test comment of Fanfare.'
/** Nothing else is being published. */
const noOthers: OtherPosts = async () => ({ ruledOut: new Set(), doubt: 'none' })

/**
 * Has the whole conversation that a connector can have: identifies the account, publishes one test post, finds it, comments, reads
 * comments and metrics, and deletes it. Uses the connector's own code; a failure ends only its own step, and what is built on it.
 */
export async function converse(talk: Talk): Promise<readonly Step[]> {
  const { platform, account, dry } = talk
  const { firstComment, conversation, analytics } = platform
  const steps: Step[] = []
  const step = async <T>(
    name: string,
    timeoutMs: number,
    work: (io: PlatformIo) => Promise<readonly [T, string]>,
  ): Promise<T | undefined> => {
    talk.progress(name)
    const calls: RecordedCall[] = []
    try {
      const [value, details] = await talk.run(timeoutMs, (io) =>
        work({ ...io, http: recording(io.http, account.baseUrl, calls) }),
      )
      steps.push({ name, outcome: 'ok', details, calls })
      return value
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      if (error instanceof Unsupported) {
        steps.push({ name, outcome: 'skipped', details: error.message, calls })
        return undefined
      }
      steps.push({ name, outcome: 'failed', details: `${error.kind}: ${error.message}`, calls })
      return undefined
    }
  }
  const skip = (name: string, details: string) => void steps.push({ name, outcome: 'skipped', details, calls: [] })

  await step('identify the account', STEP_MS, async (io) => {
    const { externalId } = await platform.connect(await io.credentials.read(), account.baseUrl, io)
    if (externalId !== account.externalId)
      throw new PlatformError('permanent', 'The credentials belong to another account.')
    return [externalId, 'the credentials belong to the account']
  })
  if (conversation) {
    await step('read comments', STEP_MS, async (io) => {
      let count = 0
      for await (const page of conversation.fetch(account, isoTime(io.clock.now() - HOUR_MS), io)) count += page.length
      return [count, `${count} of the last hour`]
    })
  } else skip('read comments', 'not available')
  if (dry) {
    skip('publish', '--dry')
    return steps
  }

  const done = await step('publish', PREPARE_MS + PATIENCE_MS, async (io) => {
    const job = jobOf(talk, isoTime(io.clock.now()))
    const published = await publish(platform, job, io)
    return [{ job, published }, published.url ?? 'published, without an address']
  })
  if (!done) return steps
  const { job, published } = done
  if (platform.findByContent) {
    const { findByContent } = platform
    await step('find the post again', STEP_MS, async (io) => {
      await io.clock.sleep(platform.visibleWithinMs)
      const search = await findByContent(job, Date.parse(job.queuedAt), io, noOthers)
      const isIt = search.outcome === 'found' && search.found.postId === published.postId
      if (!isIt) throw new PlatformError('permanent', `The post was not recognized: ${search.outcome}.`)
      return [search, 'recognized among the posts of the account']
    })
  } else skip('find the post again', 'not available')
  const posts: PublishedPart[] = [published]
  if (firstComment) {
    await step('comment', STEP_MS, async (io) => {
      const own = { key: talk.key, text: COMMENT }
      const { prepare } = firstComment
      const handle = prepare && (await readyHandle((earlier) => prepare(job, published, own, io, earlier), waiting(io)))
      const comment = await firstComment.post(job, published, own, io, handle)
      if (comment) posts.unshift(comment)
      return [undefined, 'published']
    })
  } else skip('comment', 'not available')
  if (analytics) {
    await step('read metrics', STEP_MS, async (io) => {
      const metrics = await analytics.metrics(account, [published.postId], io)
      return [metrics, metrics.size > 0 ? 'available' : 'none yet']
    })
  } else skip('read metrics', 'not available')
  if (platform.unpublish) {
    await step('delete the post', STEP_MS, async (io) => {
      for (const post of posts) await platform.unpublish?.(account, post, io)
      return [undefined, 'deleted']
    })
  } else skip('delete the post', `The API cannot. Delete it by hand: ${published.url ?? published.postId}`)
  return steps
}

/** @throws PlatformError */
function jobOf({ platform, account, mediaUrl, mediaType, key }: Talk, queuedAt: string): PublishJob {
  // Platforms refuse the same text twice.
  const text = `${TEXT} ${key.slice(0, 8)}`
  const rules = platform.check({ text, mediaType }, undefined)
  if (rules.length > 0) throw new PlatformError('permanent', rules.join(' '))
  return { key, account, mediaUrl, mediaType, text, queuedAt }
}

type Wait = (ms: number) => Promise<void>

/** Waits for the platform, but not for ever. */
function waiting({ clock }: PlatformIo): Wait {
  const end = clock.now() + PATIENCE_MS
  return async (ms) => {
    if (clock.now() + ms > end) throw new PlatformError('retryable', 'The platform is still processing it.')
    await clock.sleep(ms)
  }
}

/** @throws PlatformError */
async function readyHandle(
  prepare: (earlier: PublishHandle | undefined) => Promise<Prepared>,
  wait: Wait,
): Promise<PublishHandle> {
  let earlier: PublishHandle | undefined
  for (;;) {
    const prepared = await prepare(earlier)
    if (prepared.outcome === 'ready') return prepared.handle
    earlier = prepared.handle
    await wait(prepared.lookAgainMs)
  }
}

/** @throws PlatformError */
async function publish(platform: Platform, job: PublishJob, io: PlatformIo): Promise<Published> {
  const wait = waiting(io)
  const handle = await readyHandle((earlier) => platform.prepare(job, io, earlier), wait)
  const publishing = await platform.publish(job, handle, io)
  if (publishing.outcome === 'published') return publishing.published
  for (let taken = publishing.handle ?? handle, waitMs = publishing.lookAgainMs; ;) {
    await wait(waitMs)
    const isHandled = platform.proof[job.mediaType] === 'idempotent-key'
    if (isHandled || !platform.find) {
      const again = await platform.publish(job, taken, io)
      if (again.outcome === 'published') return again.published
      taken = again.handle ?? taken
      waitMs = again.lookAgainMs
      continue
    }
    const look = await platform.find(job, taken, io, noOthers)
    if (look.outcome === 'found') return look.found
    if (look.outcome === 'refused') throw new PlatformError('permanent', look.error)
    waitMs = look.outcome === 'processing' ? look.lookAgainMs : Math.max(waitMs, 5_000)
  }
}
