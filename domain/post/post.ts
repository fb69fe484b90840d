import type { Metadata, StreamKind } from '../core/event.ts'
import { evolveApproval, type Approval } from './approval.ts'
import { evolveTarget, publishedBy, retried } from './evolve-target.ts'
import { mediaUrls } from './post-media.ts'
import { postFormat, type PinnedMedia, type PostEvent } from './post-events.ts'
import type { PublishedPart, PublishResults } from './publish-result.ts'
import { evolveResults } from './publish-results.ts'
import type { FollowUps, FollowUpState } from './follow-up.ts'

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
  | { readonly step: 'queued'; readonly attempts: number; readonly notBefore?: string; readonly handle?: Handle }
  | { readonly step: 'started'; readonly attempt: number; readonly at: string; readonly attempts: number }
  /** `postId`: where it is a post of its own. */
  | { readonly step: 'posted'; readonly postId?: string }
  | { readonly step: 'failed'; readonly error: string }

/** What the platform has returned so far, needed to continue. */
export type Handle = Readonly<Record<string, unknown>>

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
  | (FollowUps & {
      readonly step: 'published'
      readonly attempt: number
      readonly postId: string
      readonly url?: string
      readonly firstComment?: FirstCommentState
    })
  | {
      readonly step: 'failed'
      readonly attempt: number
      readonly code: Extract<PostEvent, { type: 'AccountPublishFailed' }>['data']['code']
      readonly error: string
      readonly submission?: Submission
      /** Of the parts of a chain that are published all the same. */
      readonly unpublish?: FollowUpState | undefined
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
  /** ISO 8601 UTC. When it was scheduled, or last edited. */
  readonly writtenAt: string
  readonly due: Due
  /** What is known about the copies of its media. */
  readonly pinned: readonly PinnedMedia[]
  /** Absent: it needs none. */
  readonly approval?: Approval | undefined
}

export interface QueuedPost extends PostContent {
  readonly status: 'processing' | 'published' | 'publish_failed'
  readonly queuedAt: string
  /** When it was due: its scheduled time, else when it was last requested. */
  readonly dueAt: string
  /** Copies of its media. */
  readonly pinned: readonly PinnedMedia[]
  readonly refusedPlatforms: readonly string[]
  readonly results: PublishResults
  readonly targets: ReadonlyMap<string, Target>
}

/** One account of a post. */
export interface Target extends TargetKey {
  /** Of a chain: of the part that comes after those published, or of the last one. */
  readonly state: TargetState
  /** What is published there: the post, or the parts of a chain so far, in order. */
  readonly published: readonly PublishedPart[]
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

/** Whether the account has the post, or parts of it, and nobody has asked to delete it with success. */
export function hasParts({ state, published }: Target): boolean {
  return state.step === 'published' || (state.step === 'failed' && published.length > 0)
}

/** Whether the post was published there, and not deleted since. */
export function isLive(state: TargetState): state is Extract<TargetState, { step: 'published' }> {
  return state.step === 'published' && state.unpublish?.step !== 'done'
}

export function isFinished(post: QueuedPost): boolean {
  return [...post.targets.values()].every((target) => isSettled(target.state))
}

export const post: StreamKind<PostState, PostEvent> = {
  ...postFormat,
  initial: { status: 'absent' },
  evolve: (state, event, metadata) => {
    if (event.type === 'PostQueued') {
      const { due, pinned } = 'due' in state ? state : { due: { dueAt: metadata.at }, pinned: [] }
      return { ...queued(event.data, metadata), dueAt: due.dueAt, pinned }
    }
    if (event.type === 'PostScheduled') return scheduled(event.data, metadata)
    if (!isQueued(state)) return state.status === 'absent' ? state : evolveSchedule(state, event, metadata)
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
    case 'PostMediaPinned':
    case 'ScheduleCancelled':
    case 'ApprovalRequested':
    case 'ApprovalDecided':
    case 'ApprovalCommented':
    case 'ReviewLinkCreated':
    case 'ReviewLinkRevoked':
    case 'PostHeld':
      return state
    case 'PostTextEdited':
      return { ...state, ...event.data }
    case 'PostFinished':
      return { ...state, status: event.data.status }
    case 'RetryRequested': {
      const { platform, accountIds } = event.data
      return accountIds.reduce<QueuedPost>(
        (post, accountId) =>
          withTarget(post, { platform, accountId }, (target) => ({
            ...target,
            state: retried(target.state, metadata.at),
          })),
        { ...state, status: 'processing', dueAt: metadata.at },
      )
    }
    default:
      return withTarget(state, event.data, (target) => ({
        ...target,
        state: evolveTarget(target.state, event, metadata),
        ...(event.type === 'AccountPublished' && { published: publishedBy(event.data) }),
        // A retry begins with the first part again.
        ...(event.type === 'AccountUnpublished' && target.state.step === 'failed' && { published: [] }),
      }))
  }
}

function scheduled(
  { date, time, timezone, dueAt, awaitsApproval: _, ...content }: ScheduleData,
  { at }: Metadata,
): ScheduledPost {
  return { status: 'pending', content, writtenAt: at, due: { date, time, timezone, dueAt }, pinned: [] }
}

function evolveSchedule(before: ScheduledPost, event: PostEvent, metadata: Metadata): PostState {
  const state = { ...before, approval: evolveApproval(before.approval, event, metadata, () => before) }
  switch (event.type) {
    case 'PostRescheduled':
      return { ...state, due: event.data }
    case 'PostEdited':
      return {
        ...state,
        content: event.data,
        writtenAt: metadata.at,
        pinned: stillPinned(state.pinned, event.data),
      }
    case 'PostMediaPinned':
      return { ...state, pinned: event.data.media }
    case 'ScheduleCancelled':
      return { ...state, status: 'cancelled' }
    default:
      return state
  }
}

type ScheduleData = Extract<PostEvent, { type: 'PostScheduled' }>['data']
type QueuedData = Extract<PostEvent, { type: 'PostQueued' }>['data']

/** What an edit leaves: a file that could not be copied is tried again. */
export function stillPinned(
  pinned: readonly PinnedMedia[],
  content: Parameters<typeof mediaUrls>[0],
): readonly PinnedMedia[] {
  const urls = new Set(mediaUrls(content))
  return pinned.filter((item) => 'pinnedUrl' in item && urls.has(item.url))
}

function queued(data: QueuedData, metadata: Metadata): Omit<QueuedPost, 'dueAt' | 'pinned'> {
  const { workspaceId, mediaUrl, mediaType, media, chain, selections, caption, captionOverrides, hashtags } = data
  const { firstComment, platformOptions, accountOptions } = data
  const targets = Object.entries(data.selections).flatMap(([platform, accountIds]) =>
    accountIds.map((accountId) => ({
      platform,
      accountId,
      state: { step: 'queued', attempt: 0, attempts: 0 } as const,
      published: [],
    })),
  )
  return {
    ...{ status: 'processing', workspaceId, queuedAt: metadata.at },
    ...{ mediaUrl, mediaType, ...(media && { media }), ...(chain && { chain }) },
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

function withTarget(post: QueuedPost, key: TargetKey, change: (target: Target) => Target): QueuedPost {
  const id = targetId(key)
  const target = post.targets.get(id)
  if (!target) return post
  return { ...post, targets: new Map(post.targets).set(id, change(target)) }
}
