import * as z from 'zod'
import { MEDIA_TYPES, PLATFORM_KEYS } from '../../../domain/core/platform.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { UPLOAD_TYPES } from '../../../domain/core/upload.ts'
import { draftOfPlan } from '../../v1/drafts/plan.ts'
import { shownPlan, shownPost, shownScheduled, type Draft, type DraftPreview, type Made, type Post } from './present.ts'
import { foundPost } from './found.ts'
import { ADDS, task, type TaskWork } from './task.ts'
import { dueFields, when } from './times.ts'

const platform = z.enum(PLATFORM_KEYS)
const media = z.array(z.object({ url: z.string(), type: z.enum(MEDIA_TYPES), altText: z.string().optional() }))

/** An object with platforms as its names. */
function byPlatform<Value extends z.ZodType>(value: Value) {
  return z.partialRecord(platform, value, {
    error: ({ code }) =>
      String(code) === 'unrecognized_keys' ? `must name platforms: ${PLATFORM_KEYS.join(', ')}` : undefined,
  })
}

/** What a post can say. The endpoints check the rest. */
const content = {
  selections: byPlatform(z.array(z.string())).describe('Account ids by platform'),
  caption: z.string(),
  captionOverrides: byPlatform(z.string()).describe('Other captions, by platform'),
  hashtags: z.array(z.string()),
  media: media.describe('Public URLs, or mediaUrl of upload'),
  parts: z
    .array(z.object({ text: z.string(), media: media.optional() }))
    .describe('A thread, instead of caption and media'),
  firstComment: z.string().describe('Facebook and Instagram only'),
  platformOptions: byPlatform(z.record(z.string(), z.unknown())).describe(
    'Such as {"youtube": {"title": "…"}}; errors name what there is',
  ),
}
const change = z.object(content).partial()
const postId = z.string().describe('post_…')

export const postTasks = [
  task({
    name: 'plan_post',
    title: 'Plan a post',
    description:
      'Check a post on all its accounts without publishing it: problems, risks, cost and the final texts. Without problems it ' +
      'returns a planId for publish_plan, good for one publication of exactly this content within 24 hours. To change a plan, ' +
      'or to plan a draft, pass its draftId and only what changes.',
    input: change.extend({ draftId: z.string().optional() }),
    uses: ['previewDraft', 'createDraft', 'saveDraft'],
    hints: { ...ADDS },
    run: async ({ draftId, ...fields }, work) => {
      const id = await drafted(draftId, fields, work)
      try {
        return shownPlan(id, await work.api<DraftPreview>('previewDraft', { id }))
      } catch (error) {
        // What is missing is a problem of the plan: the next call can pass it alone.
        if (error instanceof Refusal && error.code === 'invalid_request') {
          return { draftId: id, problems: (error.details ?? [error]).map(({ message }) => message) }
        }
        throw error
      }
    },
  }),

  task({
    name: 'publish_plan',
    title: 'Publish a plan',
    description:
      'Publish a plan now, or schedule it with when. A plan becomes one post: again, it returns the same post. With undoUntil, it ' +
      'is published then, and cancel takes it back before. If it needs approval, it is handed in and waits for a person.',
    input: z.object({
      planId: z.string(),
      when: when.optional(),
      requestApproval: z.boolean().optional().describe('Wait for approval even if none is needed'),
      allowDuplicate: z.boolean().optional().describe('Even if the same was posted within 24 hours'),
    }),
    uses: ['publishDraft', 'scheduleDraft'],
    hints: { ...ADDS, idempotentHint: true },
    run: async ({ planId, when: at, ...how }, work) => {
      const args = { id: draftOfPlan(planId), plan: planId, ...how }
      const made = await (at === undefined
        ? work.api<Made>('publishDraft', args)
        : work.api<Made>('scheduleDraft', { ...args, ...dueFields(at, work) }))
      return { postId: made.id, ...outcomeOf(made) }
    },
  }),

  task({
    name: 'change_post',
    title: 'Change a post',
    description:
      'Change what a scheduled post says, where it goes or when, or what a published one says where the platform allows it ' +
      '(captions, hashtags, options). Only what you pass changes.',
    input: change.extend({ id: postId, when: when.optional() }),
    uses: ['reschedulePost', 'editPost'],
    needs: ['getPost'],
    hints: { idempotentHint: true },
    run: async ({ id, when: at, ...fields }, work) => {
      const found = await foundPost(id, work)
      if ('scheduled' in found) {
        const due = at === undefined ? {} : dueFields(at, work)
        return shownScheduled(await work.api('reschedulePost', { id, ...fields, ...due }))
      }
      if (at === undefined) return shownPost(await work.api('editPost', { id, ...fields }))
      throw new Refusal('failed_precondition', 'The post is published already, so when cannot be changed.')
    },
  }),

  task({
    name: 'retry_post',
    title: 'Retry a post',
    description: 'Publish a post again on the accounts where it failed. Accounts that have it are skipped.',
    input: z.object({ id: postId, platform: platform.optional() }),
    uses: ['retryPost'],
    needs: ['getPost'],
    hints: { ...ADDS },
    run: async ({ id, platform: only }, work) => {
      const { publishResults } = await work.api<Post>('getPost', { id })
      const failed = Object.keys(publishResults).filter((key) => publishResults[key]?.some(({ ok }) => !ok))
      if (failed.length === 0) throw new Refusal('failed_precondition', 'The post has not failed on any account.')
      for (const key of only === undefined ? failed : [only]) await work.api('retryPost', { id, platform: key })
      return shownPost(await work.api('getPost', { id }))
    },
  }),

  task({
    name: 'cancel',
    title: 'Cancel or delete',
    description:
      'Cancel a scheduled post (post_…), or delete a draft (draft_…), a reply that was not sent (rep_…) or an uploaded file ' +
      '(med_…). With unpublish, delete a published post from its platforms, which cannot be undone.',
    input: z.object({
      id: z.string(),
      unpublish: z.boolean().optional(),
      accounts: z.array(z.string()).optional().describe('With unpublish: only these. Default: all'),
    }),
    uses: ['cancelScheduledPost', 'deleteDraft', 'rejectReply', 'deleteMedia', 'unpublishPost'],
    hints: { idempotentHint: true },
    run: async ({ id, unpublish = false, accounts }, work) => {
      if (unpublish) return shownPost(await work.api('unpublishPost', { id, accounts }))
      const prefix = id.split('_', 1)[0] ?? ''
      const [operationId, done] = CANCELS.get(prefix) ?? ['cancelScheduledPost', 'cancelled']
      await work.api(operationId, { id }).catch(async (error: unknown) => {
        if (prefix !== 'post' || !(error instanceof Refusal)) throw error
        const isLate =
          error.code === 'failed_precondition' && work.may('getPost') && 'published' in (await foundPost(id, work))
        if (!isLate && error.code !== 'not_found') throw error
        throw new Refusal(error.code, `${error.message} To delete a published post from its platforms, pass unpublish.`)
      })
      return { id, status: done }
    },
  }),

  task({
    name: 'upload',
    title: 'Upload a file',
    description:
      'Only for a file without a public URL: returns uploadUrl, to which you send the bytes with an HTTP PUT (curl -T file ' +
      '"uploadUrl"), and mediaUrl for plan_post.',
    input: z.object({
      fileName: z.string(),
      contentType: z.enum(UPLOAD_TYPES),
      sizeBytes: z.int(),
      altText: z.string().optional(),
    }),
    uses: ['startUpload'],
    hints: { ...ADDS, openWorldHint: false },
    run: async (file, work) => work.api('startUpload', file),
  }),
]

/** What `cancel` does, by the kind of an id, and what has become of it then. */
const CANCELS: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['draft', ['deleteDraft', 'deleted']],
  ['rep', ['rejectReply', 'rejected']],
  ['med', ['deleteMedia', 'deleted']],
])

/** The draft that a plan is made from: a new one, which only the caller sees, or an earlier one after the changes. */
async function drafted(draftId: string | undefined, fields: object, work: TaskWork): Promise<string> {
  if (draftId === undefined) return (await work.api<Draft>('createDraft', { ...fields, visibility: 'private' })).id
  if (Object.keys(fields).length > 0) await work.api('saveDraft', { id: draftId, ...fields })
  return draftId
}

function outcomeOf({ scheduledAtUtc, awaitsApproval, undoUntil }: Made): object {
  if (awaitsApproval) {
    return {
      status: 'awaiting_approval',
      at: scheduledAtUtc,
      next: 'A person has to approve it. Nothing is published before.',
    }
  }
  if (undoUntil !== undefined) {
    return { status: 'scheduled', undoUntil, next: 'It is published then. Until then, cancel takes it back.' }
  }
  if (scheduledAtUtc !== undefined) return { status: 'scheduled', at: scheduledAtUtc }
  return { status: 'publishing', next: 'read the post for the result on each account' }
}
