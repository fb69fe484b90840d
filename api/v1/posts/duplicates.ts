import * as z from 'zod'
import { createDraft } from '../../../commands/draft.ts'
import { duplicated } from '../../../commands/duplicate-post.ts'
import { load } from '../../../commands/handle.ts'
import { text } from '../../../domain/core/text.ts'
import { draft, type SavedDraft } from '../../../domain/post/draft.ts'
import { post, type PostContent } from '../../../domain/post/post.ts'
import { dueAtMoment } from '../../../domain/post/wall-time.ts'
import { findAnyPost } from '../../../projections/models/scheduled-posts.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { resourceId } from '../../../infra/runtime/ids.ts'
import { EXAMPLE } from '../../openapi/examples.ts'
import { decider } from '../../kit/decide.ts'
import { owned } from '../../kit/owned.ts'
import { route, type AnyRoute } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'
import { NEXT_SLOT } from '../slots/next-slot.ts'
import { checkMedia } from './media-items.ts'
import { awaiting, newPosts } from './new-posts.ts'
import { changedFields, changedPost } from './post-changes.ts'
import { awaitsApproval, makeFields, undoUntil } from './make-fields.ts'
import { scheduledFor } from './post-schemas.ts'

const duplicateBody = z
  .object({
    ...changedFields,
    accounts: z
      .union([z.literal('failed'), z.array(text(100)).min(1, { error: 'must not be empty' })])
      .optional()
      .describe(
        'failed: only the accounts on which the post failed. Or ids of some of its accounts. Default: all of them. To ' +
          'post to others, pass selections instead.',
      ),
    ...makeFields,
    scheduledFor: scheduledFor
      .optional()
      .describe(`The new post is scheduled, not published now. ${scheduledFor.description}`),
    asDraft: z
      .boolean()
      .optional()
      .describe('true: what is made is a draft of the workspace, and nothing is published or scheduled.'),
  })
  .superRefine(checkMedia)
  .refine(({ accounts, selections }) => accounts === undefined || selections === undefined, {
    error: 'must have accounts or selections, not both',
  })
  .refine(({ asDraft, scheduledFor }) => !asDraft || scheduledFor === undefined, {
    error: 'must have asDraft or scheduledFor, not both',
  })
  .meta({ example: { accounts: 'failed', caption: 'Fresh from the oven, and shorter' } })

const duplicateSchema = z
  .object({
    id: z.string().describe('The new post, or the draft.'),
    duplicateOf: z.string().describe('The post that it was made from.'),
    scheduledAtUtc: z.iso.datetime().optional().describe('Only if it is scheduled.'),
    awaitsApproval,
    undoUntil,
  })
  .meta({ id: 'DuplicatedPost', examples: [{ id: EXAMPLE.post, duplicateOf: 'post_01JWB4R7T0W3Z6C9F2H5K8N1Q4' }] })

export function duplicateRoutes(services: Services): readonly AnyRoute[] {
  const { db, log, clock } = services
  const make = newPosts(services)
  const decide = decider(services, draft)

  return [
    route({
      method: 'POST',
      path: '/posts/{id}/duplicate',
      operationId: 'duplicatePost',
      summary: 'Make a new post from an earlier one',
      description:
        'Any field of queuePost changes it. With accounts: "failed", the new post is only for the accounts on which ' +
        'the earlier one failed. Those whose outcome is unknown may have it and are left out: retryPost checks them ' +
        'first. With scheduledFor, the new post is scheduled, and with asDraft it is a draft; otherwise it is published immediately.',
      reachesOut: true,
      mayConflict: true,
      tag: 'Posts',
      scope: 'posts:write',
      proposable: true,
      params: z.object({ id: text(100) }),
      body: duplicateBody,
      idempotent: true,
      answer: { status: 202, description: 'Queued, scheduled, or saved as a draft.', schema: duplicateSchema },
      handle: async (request) => {
        const { params, caller } = request
        const { accounts, scheduledFor, asDraft, allowDuplicate: _a, requestApproval: _r, ...changes } = request.body
        owned(await findAnyPost(db, params.id), caller, 'post')
        const id = resourceId(asDraft ? 'draft' : 'post', request.work)
        const content = changedPost(duplicated(await load(log, post, params.id), accounts), changes)
        const answer = { id, duplicateOf: params.id }
        if (asDraft) {
          const [authorId, createdAt] = [caller.actor.id, isoTime(clock.now())]
          const saved = { authorId, visibility: 'workspace', createdAt, ...drafted(content) } as const
          await decide(request, id, (state) => createDraft(state, saved), { expectNew: true })
          return { status: 202, body: answer }
        }
        if (scheduledFor === undefined) {
          const { queued: _, ...made } = await make.queue(request, id, content)
          return { status: 202, body: { ...answer, ...made } }
        }
        const due = scheduledFor === NEXT_SLOT ? NEXT_SLOT : dueAtMoment(scheduledFor, 'UTC')
        const made = await make.schedule(request, id, content, due, 'scheduledFor')
        return { status: 202, body: { ...answer, scheduledAtUtc: made.due.dueAt, ...awaiting(made) } }
      },
    }),
  ]
}

/** A text has no media. */
function drafted({ workspaceId, ...content }: PostContent): Pick<SavedDraft, 'workspaceId' | 'content'> {
  if (content.mediaType !== 'text') return { workspaceId, content }
  const { mediaUrl: _u, mediaType: _t, ...words } = content
  return { workspaceId, content: words }
}
