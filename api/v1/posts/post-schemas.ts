import * as z from 'zod'
import { MEDIA_TYPES, POST_TYPES } from '../../../domain/core/platform.ts'
import { APPROVAL_STATUSES } from '../../../domain/post/approval.ts'
import { ORIGINS } from '../../../domain/post/post-events.ts'
import { text } from '../../../domain/core/text.ts'
import type { Due } from '../../../domain/post/post.ts'
import { dueAt, dueAtMoment } from '../../../domain/post/wall-time.ts'
import { waitingAccount } from '../../../domain/post/waiting.ts'
import { platformOptions } from '../../../platforms/post-options.ts'
import { NEXT_SLOT } from '../slots/next-slot.ts'
import { mediaItems, mediaUrl, pinnedMedia, shownMedia, withMedia } from './media-items.ts'
import { EXAMPLE } from '../../openapi/examples.ts'
import { accountOptions, checkAccountOptions } from './account-options.ts'
import { author } from './authors.ts'
import { makeFields } from './make-fields.ts'
import { wholeResultSchema } from './result-schemas.ts'

/** Far more than anyone publishes to at once, and within the size limit of an event. */
const MAX_ACCOUNTS = 200
const MAX_PLATFORMS = 50

/** A platform as given by the caller: any name, except those on Object.prototype. */
export const platformName = text(100).refine((name) => !(name in Object.prototype), { error: 'is not a platform' })

export const selections = z
  .record(platformName, z.array(text(100).min(1, { error: 'must not be empty' })), {
    error: (issue) => (issue.input === undefined ? 'is required: name at least one platform' : undefined),
  })
  .refine((value) => Object.keys(value).length > 0, { error: 'is required: name at least one platform' })
  .refine((value) => Object.keys(value).length <= MAX_PLATFORMS, { error: `has more than ${MAX_PLATFORMS} platforms` })
  .refine((value) => Object.values(value).flat().length <= MAX_ACCOUNTS, {
    error: `has more than ${MAX_ACCOUNTS} accounts`,
  })

/** The post in the examples. */
const BREAD = {
  mediaUrl: 'https://example.com/bread.jpg',
  mediaType: 'image' as const,
  caption: 'Fresh from the oven',
  hashtags: ['bread'],
  selections: { bluesky: [EXAMPLE.account] },
}

/** Two images with alt texts, in the examples. */
const TWO = [
  { url: BREAD.mediaUrl, type: BREAD.mediaType, altText: 'Three loaves of rye bread on a wooden table' },
  { url: 'https://example.com/oven.jpg', type: 'image' as const, altText: 'The baker at the oven' },
]
const { mediaUrl: _url, mediaType: _type, ...WORDS } = BREAD

/** The content of a post. */
export const postFields = {
  media: mediaItems.optional(),
  mediaUrl: mediaUrl.describe('Public URL of the video or image.'),
  mediaType: z
    .enum(MEDIA_TYPES, { error: 'must be video or image' })
    .describe('document: only if media has it as well, as its type.'),
  selections: selections.describe('Platform key to array of account ids.'),
  caption: text(70_000).default('').describe('Shared caption for every selected account.'),
  captionOverrides: z
    .record(platformName, text(70_000))
    .default({})
    .describe('Platform key to the caption that replaces the shared one there.'),
  hashtags: z.array(text(200)).max(100).default([]).describe('Appended to the caption.'),
  firstComment: text(10_000).min(1).optional().describe('Posted as the first comment; Facebook and Instagram only.'),
  platformOptions: platformOptions.optional(),
  accountOptions: accountOptions.optional(),
}

export const date = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a date such as 2026-05-31' })
  .describe('Calendar date, year-month-day.')
export const time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time such as 09:00' })
  .describe('Hour:minute, 24-hour clock.')
export const timezone = text(100).describe('IANA name, such as Europe/Berlin.')

export const utcTime = z.iso
  .datetime({ error: 'must be a time in UTC such as 2026-05-31T16:00:00Z' })
  .transform((value) => new Date(value).toISOString())

export const scheduledFor = z
  .union([z.literal(NEXT_SLOT), utcTime], {
    error: 'must be "next-slot" or a time in UTC such as 2026-05-31T16:00:00Z',
  })
  .describe(
    'A time in UTC; or "next-slot", the first time that is a slot of every platform and at which none of the accounts has ' +
      'a scheduled post. setSlots sets the slots.',
  )

/** When a post is published: `scheduledFor`, or else a local time. */
export const dueFields = {
  date: date.optional(),
  time: time.default('09:00'),
  timezone: timezone.default('UTC'),
  scheduledFor: scheduledFor.optional(),
}
type DueFields = z.output<z.ZodObject<typeof dueFields>>

export function checkDue({ value, issues }: z.core.ParsePayload<Pick<DueFields, 'date' | 'scheduledFor'>>): void {
  const { date, scheduledFor } = value
  const add = (message: string) => issues.push({ code: 'custom', path: ['date'], message, input: date })
  if (date === undefined && scheduledFor === undefined) add('is required, or scheduledFor')
  if (date !== undefined && scheduledFor !== undefined) add('must not be given with scheduledFor')
}

export const dueBody = z.object(dueFields).check(checkDue)

/** @throws Refusal invalid_request naming the field */
export function dueOf({ date = '', time, timezone, scheduledFor }: DueFields): Due | typeof NEXT_SLOT {
  if (scheduledFor === NEXT_SLOT) return NEXT_SLOT
  return scheduledFor === undefined ? dueAt(date, time, timezone) : dueAtMoment(scheduledFor, timezone)
}

export const DUE = { date: '2099-05-31', time: '09:00', timezone: 'Europe/Berlin' }

/** `required`: the schema also requires what is filled in. */
const post = { required: ['selections'], example: { media: TWO, ...WORDS } }

/** Body of POST /posts/preview. */
export const previewBody = withMedia(
  z.object({ ...postFields, scheduledFor: scheduledFor.optional() }).superRefine(checkAccountOptions),
).meta(post)

/** What is published. */
export const postBody = withMedia(z.object(postFields).superRefine(checkAccountOptions)).meta(post)

/** Body of POST /posts (api-spec §4, Posts). */
export const queuePostBody = withMedia(
  z.object({ ...postFields, ...makeFields }).superRefine(checkAccountOptions),
).meta(post)

/** Body of POST /posts/scheduled (api-spec §4, Posts). */
export const schedulePostBody = withMedia(
  z
    .object({ ...postFields, ...dueFields, ...makeFields })
    .superRefine(checkAccountOptions)
    .check(checkDue),
).meta({
  required: post.required,
  example: { ...BREAD, ...DUE },
})

export const retryPostBody = z
  .object({
    platform: text(100).min(1).describe('Only the accounts that failed on this platform are retried.'),
  })
  .meta({ example: { platform: 'bluesky' } })

/** Body of POST /posts/{id}/unpublish. */
export const unpublishPostBody = z
  .object({
    accounts: z
      .array(text(100).min(1))
      .min(1, { error: 'must not be empty' })
      .optional()
      .describe('Ids of some of its accounts. Default: all accounts on which it is published.'),
  })
  .meta({ example: { accounts: [EXAMPLE.account] } })
  .optional()

const waitingSchema = waitingAccount
  .extend({
    reason: waitingAccount.shape.reason.describe(
      'retry: it failed and is tried again at nextAttemptAt. processing: the platform is processing it. ' +
        'outcome: the response to the publishing call was lost, so the platform is checked for the post until the ' +
        'time in until. first_comment: the post is published; its first comment is tried again at nextAttemptAt.',
    ),
    since: waitingAccount.shape.since.describe('UTC.'),
    error: waitingAccount.shape.error.describe('The previous error.'),
  })
  .meta({ id: 'WaitingAccount' })

export const shownParts = z
  .array(z.object({ text: z.string(), textOverrides: z.record(z.string(), z.string()).optional(), media: shownMedia }))
  .optional()
  .describe('Only of a chain: all parts, in order. The first is also the caption and media of the post.')

/** What a post shows besides its words. */
const shownContent = {
  mediaUrl: z.string().describe('Of the first item; empty for text alone.'),
  mediaType: z.enum(POST_TYPES),
  media: shownMedia,
  parts: shownParts,
}

const count = z.int().nonnegative()
const summarySchema = z
  .object({ succeeded: count, failed: count, pending: count })
  .describe(
    'The number of accounts by result. pending have none yet. A platform without an account counts as one failure.',
  )
  .meta({ id: 'ResultSummary' })

export const postSchema = z
  .object({
    id: z.string(),
    status: z.enum(['processing', 'published', 'publish_failed']),
    caption: z.string(),
    summary: summarySchema,
    publishResults: z.record(z.string(), z.array(wholeResultSchema)).describe('Platform key to one item per account.'),
    waiting: z
      .record(z.string(), z.array(waitingSchema))
      .describe('Platform key to the accounts that are waiting. Empty if none are.'),
    createdAt: z.iso.datetime(),
    ...shownContent,
    captionOverrides: z.record(z.string(), z.string()).describe('Platform key to the caption there.'),
    hashtags: z.array(z.string()),
    selections: z.record(z.string(), z.array(z.string())),
    origin: z.enum(ORIGINS),
    author,
  })
  .meta({
    id: 'Post',
    examples: [
      {
        id: EXAMPLE.post,
        ...BREAD,
        media: TWO,
        captionOverrides: {},
        status: 'published',
        summary: { succeeded: 1, failed: 0, pending: 0 },
        publishResults: {
          bluesky: [
            {
              accountId: EXAMPLE.account,
              ok: true,
              postId: '3lqk2vn7yhs2c',
              url: 'https://bsky.app/profile/bakery.bsky.social/post/3lqk2vn7yhs2c',
            },
          ],
        },
        waiting: {},
        createdAt: EXAMPLE.at,
        origin: 'api',
      },
    ],
  })

export const scheduledPostSchema = z
  .object({
    id: z.string().describe('The post will have the same id: GET /posts/{id} returns it once publishing has started.'),
    status: z.enum(['pending', 'publishing', 'published', 'failed', 'cancelled']),
    summary: summarySchema,
    reason: z.string().optional().describe('When failed: the reason.'),
    scheduledAtUtc: z.iso.datetime(),
    date: z.string(),
    time: z.string(),
    timezone: z.string(),
    ...shownContent,
    caption: z.string(),
    captionOverrides: z.record(z.string(), z.string()),
    hashtags: z.array(z.string()),
    firstComment: z.string().optional(),
    platformOptions: platformOptions.optional(),
    accountOptions: accountOptions.optional(),
    selections: z.record(z.string(), z.array(z.string())),
    pinnedMedia,
    approval: z
      .object({
        status: z.enum(APPROVAL_STATUSES),
        publishes: z.enum(['at_time', 'on_approval']).describe('on_approval: as soon as it is approved.'),
      })
      .optional()
      .describe(
        'Only if it needs approval. Unless the status is approved, it is not published. getApproval has the rest.',
      ),
    createdAt: z.iso.datetime(),
    author,
  })
  .meta({
    id: 'ScheduledPost',
    examples: [
      {
        id: EXAMPLE.post,
        ...BREAD,
        media: TWO,
        captionOverrides: {},
        status: 'pending',
        summary: { succeeded: 0, failed: 0, pending: 1 },
        scheduledAtUtc: '2099-05-31T07:00:00.000Z',
        date: '2099-05-31',
        time: '09:00',
        timezone: 'Europe/Berlin',
        createdAt: EXAMPLE.at,
      },
    ],
  })
