import { z } from 'zod'
import type { EventOf } from '../core/event.ts'
import { MEDIA_TYPES } from '../core/platform.ts'
import { publishResults } from './publish-result.ts'
import { text } from '../core/text.ts'

/** Where a post comes from. */
export const ORIGINS = ['api', 'schedule', 'rss', 'recycling'] as const

/** One account that a post goes to. The platform is kept as asked for, known or not. */
const target = { platform: text(100), accountId: text(100) }
const attempt = { ...target, attempt: z.int().positive() }
const failure = {
  error: text(2000),
  code: z.enum(['no_account', 'permanent', 'needs_reauth', 'gave_up', 'unknown', 'missed']),
}

/** What is to go out. */
export const content = {
  mediaUrl: text(2000),
  mediaType: z.enum(MEDIA_TYPES),
  selections: z.record(z.string(), z.array(text(100))),
  caption: text(70_000),
  captionOverrides: z.record(z.string(), text(70_000)),
  hashtags: z.array(text(200)),
  firstComment: text(10_000).optional(),
}
/** When, as its maker said it, and what that is in UTC (ISO 8601). */
const wallTime = { date: z.iso.date(), time: z.string(), timezone: z.string(), dueAt: z.iso.datetime() }

export const postEvents = {
  /** It goes out later, with this very stream: cancelling it and its time coming are decided between by the log. */
  PostScheduled: z.object({ workspaceId: z.string(), ...content, ...wallTime }),
  PostRescheduled: z.object(wallTime),
  ScheduleCancelled: z.object({}),
  PostQueued: z.object({ workspaceId: z.string(), origin: z.enum(ORIGINS), ...content }),
  /** A platform was selected that no account can be found for: unknown, or with an empty list. */
  PlatformRefused: z.object({ platform: target.platform, error: failure.error }),
  /** A worker has claimed the attempt. Nothing visible happens before `PublishPrepared`. */
  PublishStarted: z.object(attempt),
  /** The platform is at work on what it was given, before or after the visible call. It is asked again at `lookAt`. */
  PublishProgressed: z.object({
    ...attempt,
    handle: z.record(z.string(), z.unknown()),
    lookAt: z.iso.datetime(),
  }),
  /** All invisible work is done; from here on the visible call may have been made. */
  PublishPrepared: z.object({ ...attempt, handle: z.record(z.string(), z.unknown()) }),
  /**
   * The visible call was made, and its answer is lost: whether the post is there is looked up at `lookAt`, and again while the
   * platform cannot be asked, at most until `until` (absent in older events). Both ISO 8601 UTC.
   */
  PublishAnswerLost: z.object({
    ...attempt,
    error: failure.error,
    lookAt: z.iso.datetime(),
    until: z.iso.datetime().optional(),
  }),
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
  /** Every selected account has settled. Written again when a retry has. `results`: what the webhooks tell. */
  PostFinished: z.object({
    status: z.enum(['published', 'publish_failed']),
    okCount: z.int(),
    total: z.int(),
    workspaceId: z.string(),
    results: publishResults,
  }),
}

export type PostEvent = EventOf<typeof postEvents>
