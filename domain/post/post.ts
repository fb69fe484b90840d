import type { Metadata, StreamKind } from '../core/event.ts'
import { postFormat, type PostEvent } from './post-events.ts'
import { isForgotten } from '../core/forgotten.ts'
import type { PublishResults } from './publish-result.ts'
import { evolveResults } from './publish-results.ts'
import { evolveUnpublish, isUnpublishEvent, type UnpublishState } from './unpublish.ts'

export interface TargetKey {
  readonly platform: string
  readonly accountId: string
}

/** A visible call that was or may have been made. `at` is when it was allowed, ISO 8601 UTC. */
export interface Submission {
  readonly attempt: number
  readonly handle: Handle
  readonly at: string
  /** Whether the platform accepted the call and returned the handle. */
  readonly taken?: true
}

export type FirstCommentState =
  | { readonly step: 'queued'; readonly attempts: number; readonly notBefore?: string }
  | { readonly step: 'started'; readonly attempt: number; readonly at: string; readonly attempts: number }
  | { readonly step: 'posted' }
  | { readonly step: 'failed'; readonly error: string }

/** What the platform has returned so far, needed to continue. */
type Handle = Readonly<Record<string, unknown>>

/** The progress of publishing on one account. `attempts` counts since it was queued or retried, `attempt` over its whole life. */
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
      /** Whether the platform is processing the post: checking again is not a new attempt. */
      readonly processing?: true
    }
  | {
      readonly step: 'submitted'
      readonly attempt: number
      readonly attempts: number
      readonly submission: Submission
      /** The error received instead of a response. Absent when the process crashed before receiving one. */
      readonly lost?: string
      /**
       * When the user asked again after an unknown outcome: it may then be sent again even if nothing can confirm the outcome.
       */
      readonly askedAgainAt?: string
    }
  | {
      readonly step: 'published'
      readonly attempt: number
      readonly postId: string
      readonly url?: string
      readonly firstComment?: FirstCommentState
      readonly unpublish?: UnpublishState
    }
  | {
      readonly step: 'failed'
      readonly attempt: number
      readonly code: Extract<PostEvent, { type: 'AccountPublishFailed' }>['data']['code']
      readonly error: string
      readonly submission?: Submission
    }

/** What is published. */
export type PostContent = Omit<Extract<PostEvent, { type: 'PostQueued' }>['data'], 'origin'>

/** A local time as given: `date` 2026-05-31, `time` 18:00, in an IANA zone. `dueAt` is ISO 8601 UTC. */
export interface Due {
  readonly date: string
  readonly time: string
  readonly timezone: string
  readonly dueAt: string
}

/** A post scheduled for later, or canceled. */
export interface ScheduledPost {
  readonly status: 'pending' | 'cancelled'
  readonly content: PostContent
  readonly due: Due
}

export interface QueuedPost extends PostContent {
  readonly status: 'processing' | 'published' | 'publish_failed'
  readonly queuedAt: string
  /** When it was due: its scheduled time, else when it was last requested. */
  readonly dueAt: string
  readonly refusedPlatforms: readonly string[]
  readonly results: PublishResults
  readonly targets: ReadonlyMap<string, TargetKey & { readonly state: TargetState }>
}

export type PostState = { readonly status: 'absent' } | ScheduledPost | QueuedPost

/** Whether publishing has started. */
export function isQueued(state: PostState): state is QueuedPost {
  return 'targets' in state
}

export function targetId(key: TargetKey): string {
  return `${key.platform}/${key.accountId}`
}

export function isSettled(state: TargetState): boolean {
  if (state.step === 'failed') return true
  if (state.step !== 'published') return false
  return !state.firstComment || state.firstComment.step === 'posted' || state.firstComment.step === 'failed'
}

/** Whether the post was published there, and not deleted since. */
export function isLive(state: TargetState): state is Extract<TargetState, { step: 'published' }> {
  return state.step === 'published' && state.unpublish?.step !== 'unpublished'
}

export function isFinished(post: QueuedPost): boolean {
  return [...post.targets.values()].every((target) => isSettled(target.state))
}

export const post: StreamKind<PostState, PostEvent> = {
  ...postFormat,
  initial: { status: 'absent' },
  evolve: (state, event, metadata) => {
    if (event.type === 'PostQueued') return queued(event.data, metadata, 'due' in state ? state.due.dueAt : metadata.at)
    if (event.type === 'PostScheduled') return scheduled(event.data)
    if (!isQueued(state)) return evolveSchedule(state, event)
    return {
      ...evolveQueued(state, event, metadata),
      results: evolveResults(state.results, state.selections, event, metadata),
    }
  },
}

function evolveQueued(
  state: QueuedPost,
  event: Exclude<PostEvent, { type: 'PostQueued' | 'PostScheduled' }>,
  metadata: Metadata,
): QueuedPost {
  switch (event.type) {
    case 'PlatformRefused':
      return { ...state, refusedPlatforms: [...state.refusedPlatforms, event.data.platform] }
    case 'PostRescheduled':
    case 'PostEdited':
    case 'ScheduleCancelled':
      return state
    case 'PostFinished':
      return { ...state, status: event.data.status }
    case 'RetryRequested': {
      const { platform, accountIds } = event.data
      return accountIds.reduce<QueuedPost>(
        (post, accountId) => withTarget(post, { platform, accountId }, (target) => retried(target, metadata.at)),
        { ...state, status: 'processing', dueAt: metadata.at },
      )
    }
    default:
      return withTarget(state, event.data, (target) => evolveTarget(target, event, metadata))
  }
}

function scheduled({ date, time, timezone, dueAt, ...content }: ScheduleData): ScheduledPost {
  return { status: 'pending', content, due: { date, time, timezone, dueAt } }
}

function evolveSchedule(state: Exclude<PostState, QueuedPost>, event: PostEvent): PostState {
  if (state.status === 'absent') return state
  if (event.type === 'PostRescheduled') return { ...state, due: event.data }
  if (event.type === 'PostEdited') return { ...state, content: event.data }
  return event.type === 'ScheduleCancelled' ? { ...state, status: 'cancelled' } : state
}

type ScheduleData = Extract<PostEvent, { type: 'PostScheduled' }>['data']
type QueuedData = Extract<PostEvent, { type: 'PostQueued' }>['data']

function queued(data: QueuedData, metadata: Metadata, dueAt: string): QueuedPost {
  const { workspaceId, mediaUrl, mediaType, media, selections, caption, captionOverrides, hashtags } = data
  const { firstComment, platformOptions, accountOptions } = data
  const targets = Object.entries(data.selections).flatMap(([platform, accountIds]) =>
    accountIds.map((accountId) => ({
      platform,
      accountId,
      state: { step: 'queued', attempt: 0, attempts: 0 } as const,
    })),
  )
  return {
    ...{ status: 'processing', workspaceId, queuedAt: metadata.at, dueAt },
    ...{ mediaUrl, mediaType, ...(media && { media }) },
    caption,
    captionOverrides,
    hashtags,
    ...(firstComment !== undefined && { firstComment }),
    ...(platformOptions && { platformOptions }),
    ...(accountOptions && { accountOptions }),
    selections,
    refusedPlatforms: [],
    results: {},
    targets: new Map(targets.map((target) => [targetId(target), target])),
  }
}

function withTarget(post: QueuedPost, key: TargetKey, change: (state: TargetState) => TargetState): QueuedPost {
  const id = targetId(key)
  const target = post.targets.get(id)
  if (!target) return post
  return { ...post, targets: new Map(post.targets).set(id, { ...target, state: change(target.state) }) }
}

/** An unknown outcome is reconciled once more before anything is sent again. */
function retried(state: TargetState, askedAgainAt: string): TargetState {
  if (state.step !== 'failed') return state
  const counts = { attempt: state.attempt, attempts: 0 }
  return state.submission
    ? { step: 'submitted', ...counts, submission: state.submission, askedAgainAt }
    : { step: 'queued', ...counts }
}

type TargetEvent = Extract<PostEvent, { readonly data: TargetKey }>

function evolveTarget(state: TargetState, event: TargetEvent, metadata: Metadata): TargetState {
  if (isUnpublishEvent(event)) {
    return state.step === 'published' ? { ...state, unpublish: evolveUnpublish(state.unpublish, event) } : state
  }
  const attempts = 'attempts' in state ? state.attempts : 0
  switch (event.type) {
    case 'PublishStarted':
      // Taking over from a crashed worker is not a platform failure, so it uses up no attempt.
      return {
        step: 'preparing',
        attempt: event.data.attempt,
        attempts: state.step === 'preparing' ? attempts : attempts + 1,
        ...handleOf(state),
      }
    case 'PublishProgressed': {
      const { attempt, handle } = event.data
      if (state.step === 'submitted') return { ...state, submission: { ...state.submission, handle, taken: true } }
      return { step: 'preparing', attempt, attempts, handle, processing: true }
    }
    case 'PublishPrepared': {
      const submission = { attempt: event.data.attempt, handle: event.data.handle, at: metadata.at }
      return { step: 'submitted', attempt: event.data.attempt, attempts, submission }
    }
    case 'PublishAnswerLost':
      return state.step === 'submitted' ? { ...state, lost: event.data.error } : state
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
  if (state.step === 'submitted') return isForgotten(state.submission) ? {} : { handle: state.submission.handle }
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
