import * as z from 'zod'
import { actorSchema, unchanged, type EventFormat, type EventOf, type Upcaster } from '../core/event.ts'
import { ERASED, type ErasedFields } from '../core/personal-data.ts'
import { POST_TYPES } from '../core/platform.ts'
import { erasedOptions, postOptions } from '../core/post-options.ts'
import { postMedia } from './post-media.ts'
import { publishedPart, publishResults } from './publish-result.ts'
import { text } from '../core/text.ts'

/** Where a post comes from. `demo`: the sandbox had it before the service was first started. */
export const ORIGINS = ['api', 'schedule', 'rss', 'recycling', 'demo'] as const

/** The longest comment on a post that awaits approval. */
export const LONGEST_REMARK = 2000

/** One account to publish on. The platform is kept as requested, known or not. */
const target = { platform: text(100), accountId: text(100) }
const attempt = { ...target, attempt: z.int().positive() }
/** Absent in events of earlier versions. */
const workspaceId = z.string().optional()
const failure = {
  error: text(2000),
  code: z.enum(['no_account', 'permanent', 'needs_reauth', 'gave_up', 'unknown', 'missed']),
}

/** A part of a chain, published as a reply to the part before it. */
const chainPart = z.object({
  text: text(70_000),
  /** By platform: what replaces the text there. */
  textOverrides: z.record(z.string(), text(70_000)).optional(),
  media: z.array(postMedia).optional(),
})
export type ChainPart = Readonly<z.infer<typeof chainPart>>

/** Only for a chain: how many parts it has, and those that the account has, in order. */
const progress = { chain: z.object({ parts: z.int().min(2), published: z.array(publishedPart) }).optional() }

/** Whether a file of a scheduled post was copied: the URL of the copy, or why there is none. */
const pinnedMedia = z.union([
  z.object({ url: text(2000), pinnedUrl: text(2000) }),
  z.object({ url: text(2000), error: failure.error }),
])
export type PinnedMedia = Readonly<z.infer<typeof pinnedMedia>>

/** The texts of a post. */
const words = {
  caption: text(70_000),
  captionOverrides: z.record(z.string(), text(70_000)),
  hashtags: z.array(text(200)),
}

/** What to publish. */
export const content = {
  /** Empty for text alone. */
  mediaUrl: text(2000),
  mediaType: z.enum(POST_TYPES),
  /** All items, the first of which is the one above. Absent: just that one. */
  media: z.array(postMedia).optional(),
  /** The parts that follow this post, which is the first part of the chain. */
  chain: z.array(chainPart).optional(),
  selections: z.record(z.string(), z.array(text(100))),
  ...words,
  firstComment: text(10_000).optional(),
  ...postOptions,
}
/** `dueAt` is when the post is published if it is approved, ISO 8601 UTC. */
const approval = { workspaceId: z.string(), dueAt: z.iso.datetime() }
/** Of a guest: the link that they followed, and what they call themselves. The event's metadata names who made the link. */
const guest = { linkId: z.string().optional(), guest: text(100).optional() }
/** The local time as given, and the same moment in UTC (ISO 8601). */
const wallTime = { date: z.iso.date(), time: z.string(), timezone: z.string(), dueAt: z.iso.datetime() }

const events = {
  /** Published later, from this same stream: optimistic concurrency decides between canceling and publishing. */
  PostScheduled: z.object({
    workspaceId: z.string(),
    ...content,
    ...wallTime,
    /** `ApprovalRequested` follows. */
    awaitsApproval: z.boolean().optional(),
  }),
  PostRescheduled: z.object(wallTime),
  /** What a scheduled post is from now on: the whole content, changed or not. */
  PostEdited: z.object({ workspaceId: z.string(), ...content }),
  /** Every file of a scheduled post that is not in the media store was copied into it, or cannot be. */
  PostMediaPinned: z.object({ media: z.array(pinnedMedia) }),
  ScheduleCancelled: z.object({}),
  /** It is not published before somebody approves it as it is now. The event's metadata says who wrote or edited it. */
  ApprovalRequested: z.object({ ...approval, publishes: z.enum(['at_time', 'on_approval']) }),
  /** The event's metadata says by whom. A rejected post is canceled. */
  ApprovalDecided: z.object({
    ...approval,
    decision: z.enum(['approved', 'changes_requested', 'rejected']),
    comment: text(LONGEST_REMARK).optional(),
    requestedBy: actorSchema,
    ...guest,
  }),
  ApprovalCommented: z.object({ workspaceId: z.string(), comment: text(LONGEST_REMARK), ...guest }),
  /**
   * With this link, a guest reviews the post, or only comments. `secretHash` is the SHA-256 (hex) of the 256-bit secret in it. It
   * replaces a link with the same id, whose secret nobody has.
   */
  ReviewLinkCreated: z.object({
    workspaceId: z.string(),
    linkId: z.string(),
    label: text(100),
    mayDecide: z.boolean(),
    secretHash: z.string(),
    expiresAt: z.iso.datetime(),
  }),
  ReviewLinkRevoked: z.object({ linkId: z.string() }),
  /** Its time passed without an approval: it is not published. */
  PostHeld: z.object({ workspaceId: z.string(), requestedBy: actorSchema }),
  PostQueued: z.object({ workspaceId: z.string(), origin: z.enum(ORIGINS), ...content }),
  /** A selected platform has no account: it is unknown, or its list is empty. */
  PlatformRefused: z.object({ platform: target.platform, error: failure.error }),
  /** A worker claimed the attempt. Nothing visible happens before `PublishPrepared`. */
  PublishStarted: z.object(attempt),
  /** The platform is processing the post, before or after the visible call. Checked again at `lookAt`. */
  PublishProgressed: z.object({
    ...attempt,
    workspaceId,
    handle: z.record(z.string(), z.unknown()),
    lookAt: z.iso.datetime(),
  }),
  /** All invisible work is done; the visible call may have been made from here on. */
  PublishPrepared: z.object({ ...attempt, workspaceId, handle: z.record(z.string(), z.unknown()) }),
  /**
   * The visible call was made, but its response was lost. Fanfare looks for the post at `lookAt` and, while the platform is
   * unreachable, again until `until` at most. Both ISO 8601 UTC.
   */
  PublishAnswerLost: z.object({
    ...attempt,
    error: failure.error,
    lookAt: z.iso.datetime(),
    until: z.iso.datetime(),
  }),
  /** The attempt failed with a transient error. `retryAt` is ISO 8601 UTC. */
  PublishDeferred: z.object({ ...attempt, error: failure.error, retryAt: z.iso.datetime() }),
  /**
   * The account has the post, or one more part of it; more parts may follow. `note`: what somebody still has to do on the
   * platform.
   */
  AccountPublished: z.object({
    ...attempt,
    ...progress,
    workspaceId,
    postId: text(1000),
    url: text(2000).optional(),
    note: text(2000).optional(),
  }),
  /** `unknown`: the platform may have accepted the post, and nothing can confirm it. Never retried automatically. */
  AccountPublishFailed: z.object({ ...attempt, ...progress, ...failure }),
  FirstCommentQueued: z.object(target),
  /** The platform is processing the comment, before the visible call. Checked again at `lookAt`. */
  FirstCommentProgressed: z.object({
    ...target,
    workspaceId,
    handle: z.record(z.string(), z.unknown()),
    lookAt: z.iso.datetime(),
  }),
  /** From here on the comment may be visible. */
  FirstCommentStarted: z.object(attempt),
  FirstCommentDeferred: z.object({ ...attempt, error: failure.error, retryAt: z.iso.datetime() }),
  /** `postId`: where it is a post of its own, which is deleted with the other. `text`: what was sent. */
  FirstCommentPosted: z.object({
    ...attempt,
    workspaceId,
    postId: text(1000).optional(),
    text: text(10_000).optional(),
  }),
  FirstCommentFailed: z.object({ ...attempt, error: failure.error }),
  /** Somebody wants the post deleted from the account. */
  UnpublishRequested: z.object(target),
  /** From here on the post may be gone. */
  UnpublishStarted: z.object(attempt),
  UnpublishDeferred: z.object({ ...attempt, error: failure.error, retryAt: z.iso.datetime() }),
  /** The platform no longer has the post: it was deleted now, or already gone. */
  AccountUnpublished: z.object(attempt),
  UnpublishFailed: z.object({ ...attempt, error: failure.error }),
  /** The API of the platform cannot delete posts. */
  UnpublishUnsupported: z.object({ ...target, error: failure.error }),
  /** What a post says from now on: published accounts are asked to change it, and failed ones are retried with it. */
  PostTextEdited: z.object({ ...words, ...postOptions }),
  EditRequested: z.object(target),
  /** From here on the account may have the new text. */
  EditStarted: z.object(attempt),
  EditDeferred: z.object({ ...attempt, error: failure.error, retryAt: z.iso.datetime() }),
  AccountEdited: z.object(attempt),
  EditFailed: z.object({ ...attempt, error: failure.error }),
  /** The API of the platform cannot edit this post. */
  EditUnsupported: z.object({ ...target, error: failure.error }),
  RetryRequested: z.object({ platform: target.platform, accountIds: z.array(target.accountId) }),
  /** Every selected account has settled. Written again when a retry settles. `results` is what webhooks deliver. */
  PostFinished: z.object({
    status: z.enum(['published', 'publish_failed']),
    okCount: z.int(),
    total: z.int(),
    workspaceId: z.string(),
    results: publishResults,
  }),
}

/** What `content` reads once it is erased. */
export const erasedContent = {
  mediaUrl: ERASED,
  media: undefined,
  chain: undefined,
  caption: ERASED,
  captionOverrides: {},
  hashtags: [],
  firstComment: undefined,
  ...erasedOptions,
}

const erased = {
  PostScheduled: erasedContent,
  PostEdited: erasedContent,
  PostQueued: erasedContent,
  PostMediaPinned: { media: [] },
  ApprovalDecided: { comment: undefined, guest: undefined },
  ApprovalCommented: { comment: ERASED, guest: undefined },
  ReviewLinkCreated: { label: ERASED },
  PostTextEdited: { caption: ERASED, captionOverrides: {}, hashtags: [], ...erasedOptions },
  // It may contain the text.
  PublishProgressed: { handle: {} },
  PublishPrepared: { handle: {} },
  FirstCommentProgressed: { handle: {} },
  FirstCommentPosted: { text: undefined },
} satisfies ErasedFields<typeof events>

const upcasters: Readonly<Record<string, readonly Upcaster[]>> = {
  // Fanfare used to look once.
  PublishAnswerLost: [(data) => ({ ...data, until: data['until'] ?? data['lookAt'] })],
  // Version 2 may have options of platforms, version 3 options of accounts and several media, version 4 a chain, or text alone,
  // version 5 texts of a part by platform, version 6 a document, version 7 may await approval, or be queued for the
  // demo.
  PostScheduled: [unchanged, unchanged, unchanged, unchanged, unchanged, unchanged],
  PostEdited: [unchanged, unchanged, unchanged],
  PostQueued: [unchanged, unchanged, unchanged, unchanged, unchanged, unchanged],
  // Version 2 has the workspace.
  PublishProgressed: [unchanged],
  PublishPrepared: [unchanged],
  // Version 3 may have a note, version 4 parts of a chain.
  AccountPublished: [unchanged, unchanged, unchanged],
  AccountPublishFailed: [unchanged],
  // Version 2 may have notes in its results, version 3 what became of unpublishing, version 4 parts of a chain, version 5 what
  // became of unpublishing them, version 6 what became of editing.
  PostFinished: [unchanged, unchanged, unchanged, unchanged, unchanged],
  // Version 2 may have options of accounts.
  PostTextEdited: [unchanged],
  // Version 2 may have the id of the comment, version 3 its text and the workspace.
  FirstCommentPosted: [unchanged, unchanged],
}

export const postFormat = {
  category: 'post',
  events,
  upcasters,
  personal: { key: 'workspace', erased },
} satisfies EventFormat

export type PostEvent = EventOf<typeof events>
