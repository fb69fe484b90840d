import type * as z from 'zod'
import type { approvalSchema } from '../../v1/approvals/approval-schemas.ts'
import type { rankedPostSchema } from '../../v1/analytics/analytics-schemas.ts'
import type { commentSchema, replySchema } from '../../v1/conversations/comment-schemas.ts'
import type { draftedPostSchema, draftPreviewSchema, draftSchema } from '../../v1/drafts/draft-schemas.ts'
import type { mediaSchema } from '../../v1/media/media-schemas.ts'
import type { postSchema, scheduledPostSchema } from '../../v1/posts/post-schemas.ts'

export type Post = z.infer<typeof postSchema>
export type ScheduledPost = z.infer<typeof scheduledPostSchema>
export type Draft = z.infer<typeof draftSchema>
export type DraftPreview = z.infer<typeof draftPreviewSchema>
export type Made = z.infer<typeof draftedPostSchema>
export type Comment = z.infer<typeof commentSchema>
export type Reply = z.infer<typeof replySchema>
export type Approval = z.infer<typeof approvalSchema>
export type Media = z.infer<typeof mediaSchema>
export type RankedPost = z.infer<typeof rankedPostSchema>

/*
 * What agents are shown: everything they need for the next step, in few words. Lists show the beginning of a text; `read` shows
 * all of it.
 */

const EXCERPT = 100

export function excerpt(text = ''): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= EXCERPT ? line : `${line.slice(0, EXCERPT - 1)}…`
}

function platformsOf({
  selections = {},
}: {
  readonly selections?: Readonly<Record<string, unknown>> | null | undefined
}) {
  return Object.keys(selections ?? {}).join(', ')
}

/** What was planned: where an account's text differs from that of the accounts before it, the text. */
export function shownPlan(draftId: string, { previews, needsApproval, plan }: DraftPreview): object {
  const texts = new Set<string>()
  const accounts = previews.map(({ platform, accountId, caption, changes, token, problems, warnings, cost }) => {
    const text = texts.has(caption) ? undefined : caption
    texts.add(caption)
    const risks = [
      ...warnings,
      ...(token && token.status !== 'ready' ? [token.reason ?? `The account is ${token.status}.`] : []),
    ]
    return { platform, accountId, text, problems, risks, changes, costUsd: cost?.usd }
  })
  const isGood = previews.every(({ problems }) => problems.length === 0)
  return {
    draftId,
    ...(isGood && { planId: plan.id, expiresAt: plan.expiresAt }),
    accounts,
    costUsd: sum(accounts.map(({ costUsd = 0 }) => costUsd)),
    approval: needsApproval ? 'A person has to approve it: publish_plan hands it in.' : undefined,
    next: isGood
      ? undefined
      : 'Fix the problems: plan_post with this draftId and what changes. There is no planId until then.',
  }
}

function sum(costs: readonly number[]): number | undefined {
  const total = costs.reduce((all, one) => all + one, 0)
  return total === 0 ? undefined : Number(total.toFixed(4))
}

export function listedPost({ id, status, caption, summary, createdAt, ...of }: Post): object {
  const failed = summary.failed > 0 && summary.succeeded > 0 ? summary.failed : undefined
  return { id, status, failed, at: createdAt, platforms: platformsOf(of), text: excerpt(caption) }
}

export function listedScheduled({ id, caption, scheduledAtUtc, approval, ...of }: ScheduledPost): object {
  return { id, at: scheduledAtUtc, approval: approval?.status, platforms: platformsOf(of), text: excerpt(caption) }
}

export function listedDraft({ id, caption, visibility, updatedAt, ...of }: Draft): object {
  const isPrivate = visibility === 'private' || undefined
  return { id, private: isPrivate, updatedAt, platforms: platformsOf(of), text: excerpt(caption ?? '') }
}

export function listedApproval({ id, status, version, requestedBy, remarks, post }: Approval): object {
  const { scheduledAtUtc: at, caption } = post
  const said = excerpt(remarks.findLast(({ decision }) => decision === status)?.text)
  return { id, status, said, version, by: requestedBy.label, at, platforms: platformsOf(post), text: excerpt(caption) }
}

/** What people said about a post, and what they changed in it. */
export function shownApproval({ status, publishes, version, remarks, changes }: Approval): object {
  const said = remarks.map(({ by: { label: by }, at, decision, text }) => ({ by, at, decision, text }))
  return { status, publishes, version, said, changes }
}

/** Without its account: a reply finds it by the id. */
export function listedComment({ id, platform, author, text, createdAt: at, replied, dismissed }: Comment): object {
  return { commentId: id, platform, author, text: excerpt(text), at, ...flags({ replied, dismissed }) }
}

export function listedReply({
  id,
  status,
  platform,
  commentAuthor,
  commentText,
  draft,
  drafting,
  error,
}: Reply): object {
  const to = `${commentAuthor ?? ''}: ${excerpt(commentText)}`
  return { id, status, platform, to, text: excerpt(draft), ...flags({ drafting }), error }
}

export function listedMedia({ id, status, fileName, mediaType, mediaUrl, altText, error }: Media): object {
  return { id, status, fileName, mediaType, mediaUrl, altText: excerpt(altText), error }
}

export function listedRanked({ id, platform, publishedAt: at, caption, views, interactions }: RankedPost): object {
  return { id, platform, at, text: excerpt(caption), views, interactions }
}

/** Only those that are true. */
function flags(of: Readonly<Record<string, boolean>>): object {
  return Object.fromEntries(Object.entries(of).filter(([, isOn]) => isOn))
}

export function shownPost({
  id,
  status,
  caption,
  captionOverrides,
  hashtags,
  media,
  parts,
  waiting,
  createdAt,
  ...of
}: Post): object {
  const results = Object.entries(of.publishResults).flatMap(([platform, items]) =>
    items.map((item) => ({ platform, ...item, postId: undefined })),
  )
  const waits = Object.entries(waiting).flatMap(([platform, items]) => items.map((item) => ({ platform, ...item })))
  return { id, status, at: createdAt, caption, captionOverrides, hashtags, media, parts, results, waiting: waits }
}

export function shownScheduled({ id, status, reason, scheduledAtUtc: at, approval, ...of }: ScheduledPost): object {
  const { caption, captionOverrides, hashtags, firstComment, media, parts, selections, platformOptions } = of
  const words = { caption, captionOverrides, hashtags, firstComment, media, parts, platformOptions }
  return { id, status: status === 'pending' ? 'scheduled' : status, reason, at, approval, ...words, selections }
}
