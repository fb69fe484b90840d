import * as z from 'zod'
import { PLATFORM_KEYS } from '../../../domain/core/platform.ts'
import { actorSchema } from '../../../domain/core/event.ts'
import type { DELIVERED_EVENTS } from '../../../domain/webhook/public-event.ts'
import { labelledReviewer } from '../../kit/names.ts'
import { EXAMPLE } from '../../openapi/examples.ts'
import { commentSchema } from '../conversations/comment-schemas.ts'
import { postSchema } from '../posts/post-schemas.ts'
import { resultSchema } from '../posts/result-schemas.ts'

const example = <T extends z.ZodType>(schema: T, value: unknown) => schema.meta({ examples: [value] })

const runId = example(z.string().describe('Of GET /posts/{id}.'), EXAMPLE.post)
const accountId = example(z.string(), EXAMPLE.account)
const selections = example(postSchema.shape.selections, { bluesky: [EXAMPLE.account] })

const awaiting = example(z.string().describe('Of GET /approvals/{id}.'), EXAMPLE.post)
const scheduledFor = example(
  z.iso.datetime().nullable().describe('null if it has no time of its own, or is not published.'),
  EXAMPLE.at,
)
const actor = example(actorSchema.describe('A user, an API key, or somebody at the command line.'), {
  kind: 'user',
  id: 'user_ada',
})

const published = { accountId: EXAMPLE.account, ok: true, postId: '3lqk2vn7yhs2c' }
const failed = { accountId: 'acc_01JWB5E2H5K8N1Q4T7W0Z3C6F9', ok: false, error: 'The text is too long for X.' }

/** The data of a finished post. */
function finished(results: Readonly<Record<string, readonly object[]>>) {
  const all = Object.values(results).flat()
  return z.object({
    runId,
    results: example(z.record(z.string(), z.array(resultSchema)).describe('As publishResults of the post.'), results),
    okCount: example(z.int(), all.filter((result) => result === published).length),
    total: example(z.int().describe('The number of accounts.'), all.length),
  })
}

/** When each event is sent, and its `data`. */
export const EVENTS: Readonly<
  Record<(typeof DELIVERED_EVENTS)[number], { readonly summary: string; readonly data: z.ZodType }>
> = {
  'post.published': {
    summary: 'A post is finished, and was published on at least one account',
    data: finished({ bluesky: [published] }),
  },
  'post.partially_failed': {
    summary: 'A post is finished, and was published on some of its accounts only',
    data: finished({ bluesky: [published], x: [failed] }),
  },
  'post.failed': {
    summary: 'A post is finished, and failed on every account',
    data: finished({ x: [failed] }),
  },
  'post.scheduled': {
    summary: 'A post was scheduled',
    data: z.object({
      runId: example(z.string().describe('Of GET /scheduled-posts/{id}.'), EXAMPLE.post),
      scheduledFor: example(z.iso.datetime(), EXAMPLE.at),
      mediaType: postSchema.shape.mediaType,
      selections,
    }),
  },
  'comment.received': {
    summary: 'A comment or mention was received',
    data: commentSchema.omit({ reply: true, post: true }),
  },
  'reply.sent': {
    summary: 'A reply was sent',
    data: z.object({
      replyId: example(z.string(), 'rep_01JWB6Z5C8F1J4M7Q0T3W6Z9C2'),
      platform: z.enum(PLATFORM_KEYS),
      accountId,
      commentId: example(z.string(), '17991'),
      text: example(z.string(), 'We open at nine.'),
      platformReplyId: example(z.string(), '17992'),
      source: z.enum(['api', 'automation']),
    }),
  },
  'account.needs_reauth': {
    summary: 'The platform no longer accepts the access to an account: somebody has to connect it again',
    data: z.object({
      accountId,
      platform: z.enum(PLATFORM_KEYS),
      reason: example(z.string().describe('What the platform says.'), 'The access was revoked.'),
    }),
  },
  'account.expiring': {
    summary: 'The access to an account ends within 7 days, unless somebody connects it again',
    data: z.object({
      accountId,
      platform: z.enum(PLATFORM_KEYS),
      expiresAt: example(z.iso.datetime(), EXAMPLE.at),
    }),
  },
  'approval.requested': {
    summary: 'A post awaits approval, also again after an edit',
    data: z.object({ runId: awaiting, scheduledFor, requestedBy: actor }),
  },
  'approval.decided': {
    summary: 'A post was approved or rejected, or changes were requested',
    data: z.object({
      runId: awaiting,
      decision: z.enum(['approved', 'changes_requested', 'rejected']),
      comment: example(z.string().optional(), 'Nice picture.'),
      scheduledFor,
      requestedBy: actor,
      decidedBy: example(labelledReviewer.describe('Also a guest with a link, by the label they gave.'), {
        kind: 'guest',
        id: '0d5a3c0e-6f63-5b0e-9d0c-0f6a5a1f2b3c',
        label: 'Clara',
      }),
    }),
  },
  'webhook.test': {
    summary: 'Somebody requested a test',
    data: z.object({
      webhookId: example(z.string(), EXAMPLE.webhook),
      message: example(z.string(), 'This is a test: the webhook works.'),
    }),
  },
}
