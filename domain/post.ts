import { z } from 'zod'
import type { EventOf, Metadata, StreamKind } from './event.ts'
import { MEDIA_TYPES, type MediaType } from './platform.ts'
import { text } from './text.ts'

/** One account that a post goes to. The platform is kept as asked for, known or not. */
const target = { platform: text(100), accountId: text(100) }
const attempt = { ...target, attempt: z.int().positive() }
const failure = { error: text(2000), code: z.enum(['no_account', 'permanent', 'needs_reauth', 'gave_up', 'unknown']) }

const events = {
  PostQueued: z.object({
    workspaceId: z.string(),
    origin: z.enum(['api', 'schedule', 'rss', 'recycling']),
    mediaUrl: text(2000),
    mediaType: z.enum(MEDIA_TYPES),
    selections: z.record(z.string(), z.array(text(100))),
    caption: text(70_000),
    captionOverrides: z.record(z.string(), text(70_000)),
    hashtags: z.array(text(200)),
    firstComment: text(10_000).optional(),
  }),
  /** A platform was selected that no account can be found for: unknown, or with an empty list. */
  PlatformRefused: z.object({ platform: target.platform, error: failure.error }),
  /** A worker has claimed the attempt. Nothing visible happens before `PublishPrepared`. */
  PublishStarted: z.object(attempt),
  /** The platform is at work on what it was given; nothing is visible. It is asked again at `lookAt`, ISO 8601 UTC. */
  PublishProgressed: z.object({
    ...attempt,
    handle: z.record(z.string(), z.unknown()),
    lookAt: z.iso.datetime(),
  }),
  /** All invisible work is done; from here on the visible call may have been made. */
  PublishPrepared: z.object({ ...attempt, handle: z.record(z.string(), z.unknown()) }),
  /** The attempt failed in a way that will pass. `retryAt` is ISO 8601 UTC. */
  PublishDeferred: z.object({ ...attempt, error: failure.error, retryAt: z.iso.datetime() }),
  AccountPublished: z.object({ ...attempt, postId: text(1000), url: text(2000).optional() }),
  /** `unknown`: the platform may have taken it, and nothing can tell. Never tried again by itself. */
  AccountPublishFailed: z.object({ ...attempt, ...failure }),
  FirstCommentQueued: z.object(target),
  /** From here on the comment may be visible. */
  FirstCommentStarted: z.object(attempt),
  FirstCommentDeferred: z.object({ ...attempt, error: failure.error, retryAt: z.iso.datetime() }),
  FirstCommentPosted: z.object(attempt),
  FirstCommentFailed: z.object({ ...attempt, error: failure.error }),
  RetryRequested: z.object({ platform: target.platform, accountIds: z.array(target.accountId) }),
  /** Every selected account has settled. Written again when a retry has. */
  PostFinished: z.object({ status: z.enum(['published', 'publish_failed']), okCount: z.int(), total: z.int() }),
}

export type PostEvent = EventOf<typeof events>

export interface TargetKey {
  readonly platform: string
  readonly accountId: string
}

/** A visible call that was, or may have been, made. `at` is when it was allowed, ISO 8601 UTC. */
export interface Submission {
  readonly attempt: number
  readonly handle: Handle
  readonly at: string
}

export type FirstCommentState =
  | { readonly step: 'queued'; readonly attempts: number; readonly notBefore?: string }
  | { readonly step: 'started'; readonly attempt: number; readonly at: string; readonly attempts: number }
  | { readonly step: 'posted' }
  | { readonly step: 'failed'; readonly error: string }

/** What the platform gave so far, to go on with. */
type Handle = Readonly<Record<string, unknown>>

/** Where one account's publish stands. `attempts` counts since it was queued or retried, `attempt` over all. */
export type TargetState =
  | {
      readonly step: 'queued'
      readonly attempt: number
      readonly attempts: number
      readonly notBefore?: string
      readonly handle?: Handle
    }
  | {
      readonly step: 'preparing'
      readonly attempt: number
      readonly attempts: number
      readonly handle?: Handle
      /** Whether the platform is at work: then looking again is no new attempt. */
      readonly processing?: true
    }
  | {
      readonly step: 'submitted'
      readonly attempt: number
      readonly attempts: number
      readonly submission: Submission
      /** When the user asked again after an unknown outcome: what nothing can tell may then be sent once more. */
      readonly askedAgainAt?: string
    }
  | {
      readonly step: 'published'
      readonly attempt: number
      readonly postId: string
      readonly url?: string
      readonly firstComment?: FirstCommentState
    }
  | {
      readonly step: 'failed'
      readonly attempt: number
      readonly code: 'no_account' | 'permanent' | 'needs_reauth' | 'gave_up' | 'unknown'
      readonly error: string
      readonly submission?: Submission
    }

export interface QueuedPost {
  readonly status: 'processing' | 'published' | 'publish_failed'
  readonly workspaceId: string
  readonly queuedAt: string
  readonly mediaUrl: string
  readonly mediaType: MediaType
  readonly caption: string
  readonly captionOverrides: Readonly<Record<string, string>>
  readonly hashtags: readonly string[]
  readonly firstComment?: string
  readonly selections: Readonly<Record<string, readonly string[]>>
  readonly refusedPlatforms: readonly string[]
  readonly targets: ReadonlyMap<string, TargetKey & { readonly state: TargetState }>
}

export type PostState = { readonly status: 'absent' } | QueuedPost

export function targetId(key: TargetKey): string {
  return `${key.platform}/${key.accountId}`
}

export function isSettled(state: TargetState): boolean {
  if (state.step === 'failed') return true
  if (state.step !== 'published') return false
  return !state.firstComment || state.firstComment.step === 'posted' || state.firstComment.step === 'failed'
}

export function isFinished(post: QueuedPost): boolean {
  return [...post.targets.values()].every((target) => isSettled(target.state))
}

export const post: StreamKind<PostState, PostEvent> = {
  category: 'post',
  events,
  initial: { status: 'absent' },
  evolve: (state, event, metadata) => {
    if (event.type === 'PostQueued') return queued(event.data, metadata)
    if (state.status === 'absent') return state
    switch (event.type) {
      case 'PlatformRefused':
        return { ...state, refusedPlatforms: [...state.refusedPlatforms, event.data.platform] }
      case 'PostFinished':
        return { ...state, status: event.data.status }
      case 'RetryRequested': {
        const { platform, accountIds } = event.data
        return accountIds.reduce<QueuedPost>(
          (post, accountId) => withTarget(post, { platform, accountId }, (target) => retried(target, metadata.at)),
          {
            ...state,
            status: 'processing',
          },
        )
      }
      default:
        return withTarget(state, event.data, (target) => evolveTarget(target, event, metadata))
    }
  },
}

function queued(data: Extract<PostEvent, { type: 'PostQueued' }>['data'], metadata: Metadata): QueuedPost {
  const { workspaceId, mediaUrl, mediaType, selections, caption, captionOverrides, hashtags, firstComment } = data
  const targets = Object.entries(data.selections).flatMap(([platform, accountIds]) =>
    accountIds.map((accountId) => ({
      platform,
      accountId,
      state: { step: 'queued', attempt: 0, attempts: 0 } as const,
    })),
  )
  return {
    status: 'processing',
    workspaceId,
    queuedAt: metadata.at,
    mediaUrl,
    mediaType,
    caption,
    captionOverrides,
    hashtags,
    ...(firstComment === undefined ? {} : { firstComment }),
    selections,
    refusedPlatforms: [],
    targets: new Map(targets.map((target) => [targetId(target), target])),
  }
}

function withTarget(post: QueuedPost, key: TargetKey, change: (state: TargetState) => TargetState): QueuedPost {
  const id = targetId(key)
  const target = post.targets.get(id)
  if (!target) return post
  return { ...post, targets: new Map(post.targets).set(id, { ...target, state: change(target.state) }) }
}

/** An outcome that is not known is looked for once more before anything is sent again. */
function retried(state: TargetState, askedAgainAt: string): TargetState {
  if (state.step !== 'failed') return state
  const counts = { attempt: state.attempt, attempts: 0 }
  return state.submission
    ? { step: 'submitted', ...counts, submission: state.submission, askedAgainAt }
    : { step: 'queued', ...counts }
}

type TargetEvent = Exclude<PostEvent, { type: 'PostQueued' | 'PlatformRefused' | 'RetryRequested' | 'PostFinished' }>

function evolveTarget(state: TargetState, event: TargetEvent, metadata: Metadata): TargetState {
  const attempts = 'attempts' in state ? state.attempts : 0
  switch (event.type) {
    case 'PublishStarted':
      // Taking over from a worker that died is no failure of the platform's: it uses up no attempt.
      return {
        step: 'preparing',
        attempt: event.data.attempt,
        attempts: state.step === 'preparing' ? attempts : attempts + 1,
        ...handleOf(state),
      }
    case 'PublishProgressed': {
      const { attempt, handle } = event.data
      return { step: 'preparing', attempt, attempts, handle, processing: true }
    }
    case 'PublishPrepared': {
      const submission = { attempt: event.data.attempt, handle: event.data.handle, at: metadata.at }
      return { step: 'submitted', attempt: event.data.attempt, attempts, submission }
    }
    case 'PublishDeferred':
      return {
        step: 'queued',
        attempt: event.data.attempt,
        attempts,
        notBefore: event.data.retryAt,
        ...handleOf(state),
      }
    case 'AccountPublished': {
      const { attempt, postId, url } = event.data
      return { step: 'published', attempt, postId, ...(url === undefined ? {} : { url }) }
    }
    case 'AccountPublishFailed': {
      const { attempt, code, error } = event.data
      const submission = code === 'unknown' && state.step === 'submitted' ? { submission: state.submission } : {}
      return { step: 'failed', attempt, code, error, ...submission }
    }
    default:
      return state.step === 'published' ? { ...state, firstComment: evolveComment(state, event, metadata) } : state
  }
}

function handleOf(state: TargetState): { readonly handle?: Handle } {
  if (state.step === 'submitted') return { handle: state.submission.handle }
  return 'handle' in state && state.handle ? { handle: state.handle } : {}
}

type CommentEvent = Extract<TargetEvent, { type: `FirstComment${string}` }>

function evolveComment(
  state: Extract<TargetState, { step: 'published' }>,
  event: CommentEvent,
  metadata: Metadata,
): FirstCommentState {
  const attempts = state.firstComment && 'attempts' in state.firstComment ? state.firstComment.attempts : 0
  switch (event.type) {
    case 'FirstCommentQueued':
      return { step: 'queued', attempts: 0 }
    case 'FirstCommentStarted':
      return { step: 'started', attempt: event.data.attempt, at: metadata.at, attempts: attempts + 1 }
    case 'FirstCommentDeferred':
      return { step: 'queued', attempts, notBefore: event.data.retryAt }
    case 'FirstCommentPosted':
      return { step: 'posted' }
    case 'FirstCommentFailed':
      return { step: 'failed', error: event.data.error }
  }
}
