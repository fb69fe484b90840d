import * as z from 'zod'
import { createDraft, deleteDraft, publishDraft, saveDraft } from '../../../commands/draft.ts'
import { load } from '../../../commands/handle.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { text } from '../../../domain/core/text.ts'
import { draft, isLiveDraft, maySee, type DraftContent, type DraftState } from '../../../domain/post/draft.ts'
import { post, type PostContent } from '../../../domain/post/post.ts'
import { drafts, findDraft, listDrafts, type DraftRow } from '../../../projections/models/drafts.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { resourceId } from '../../../infra/runtime/ids.ts'
import { asItWas } from '../../kit/as-it-was.ts'
import { decider } from '../../kit/decide.ts'
import { listRoute } from '../../kit/list-route.ts'
import { owned } from '../../kit/owned.ts'
import type { Services } from '../../kit/services.ts'
import { route, type AnyRoute, type Caller, type RouteRequest } from '../../http/route.ts'
import { atQuery } from '../history/history-schemas.ts'
import { accountsIn, asksApproval, mustBeOwn } from '../approvals/asks-approval.ts'
import { awaiting, newPosts, type Making } from '../posts/new-posts.ts'
import { withChanges } from '../posts/post-changes.ts'
import { dueOf } from '../posts/post-schemas.ts'
import { previewsOf } from '../posts/previews.ts'
import { wholeContent } from '../posts/whole-content.ts'
import {
  createDraftBody,
  draftedPostSchema,
  draftPreviewSchema,
  draftSchema,
  keptFields,
  presentDraft,
  publishDraftBody,
  saveDraftBody,
  scheduleDraftBody,
} from './draft-schemas.ts'
import { mustBePlanned, newPlan } from './plan.ts'

const idParams = z.object({ id: text(100) })
const COMPLETE =
  'It must have everything that a post needs; an error names what is missing. Without media it becomes a post of text ' +
  'alone, as by queueChain. A draft becomes one post: if it has become one already, the answer is that post.'

type Request<Body = unknown> = RouteRequest<{ id: string }, unknown, Body>
type Becoming = Making & { readonly plan?: string | undefined }

/** Posts that are being written. */
export function draftRoutes(services: Services): readonly AnyRoute[] {
  const { db, log, clock } = services
  const decide = decider(services, draft)
  const make = newPosts(services)

  const own = async (id: string, caller: Caller): Promise<DraftRow> => {
    const row = owned(await findDraft(db, id), caller, 'draft')
    if (maySee(row, caller.actor.id)) return row
    throw new Refusal('not_found', 'No such draft.')
  }

  const changeable = async (id: string, caller: Caller): Promise<void> =>
    mustBeOwn(caller, (await own(id, caller)).authorId, 'draft')

  const live = async (id: string, caller: Caller) => {
    await own(id, caller)
    const state = await load(log, draft, id)
    if (isLiveDraft(state)) return state
    throw new Refusal('not_found', 'No such draft.')
  }

  /** From the log, so that it shows the change even if the read model lags. */
  const presentSaved = (id: string, state: DraftState, updatedAt: string) => {
    if (!isLiveDraft(state)) throw new Refusal('not_found', 'No such draft.')
    const { status: _, ...saved } = state
    return presentDraft({ postId: null, ...saved, id, updatedAt })
  }

  /** Makes the post first, so that what refuses it leaves the draft as it is. Both are repeatable. */
  const become = async (request: Request<Becoming>, run: (id: string, content: PostContent) => Promise<unknown>) => {
    const { params, body, caller } = request
    await changeable(params.id, caller)
    const state = await live(params.id, caller)
    const id = postIdOf(params.id)
    if (state.status === 'open') {
      if (body.plan !== undefined) mustBePlanned(body.plan, params.id, state.content, clock.now())
      await run(id, { ...wholeContent(state.content, 'the draft'), workspaceId: caller.workspaceId })
      await decide({ ...request, work: `${request.work} draft` }, params.id, (now) => publishDraft(now, id))
    }
    const made = await load(log, post, id)
    if (made.status !== 'pending') return { id, draftId: params.id }
    const due = made.approval?.publishes === 'on_approval' ? {} : { scheduledAtUtc: made.due.dueAt }
    return { id, draftId: params.id, ...due, ...awaiting(made) }
  }

  return [
    route({
      method: 'POST',
      path: '/drafts',
      operationId: 'createDraft',
      summary: 'Save a draft of a post',
      description: 'Any field of a post may be missing. It is kept until it is deleted, and has no time.',
      tag: 'Drafts',
      scope: 'posts:write',
      proposable: true,
      body: createDraftBody,
      idempotent: true,
      answer: { status: 201, description: 'The draft.', schema: draftSchema },
      handle: async (request) => {
        const { visibility, ...content } = request.body
        const { workspaceId, actor } = request.caller
        const id = resourceId('draft', request.work)
        const createdAt = isoTime(clock.now())
        const saved = {
          workspaceId,
          authorId: actor.id,
          visibility,
          content: withChanges<DraftContent>({}, keptFields(content)),
          createdAt,
        }
        const state = await decide(request, id, (state) => createDraft(state, saved), { expectNew: true })
        return { status: 201, body: presentSaved(id, state, createdAt) }
      },
    }),

    listRoute(services, {
      path: '/drafts',
      operationId: 'listDrafts',
      summary: 'List drafts, newest first',
      description: 'Those of the workspace and your own private ones, without those that have become posts.',
      tag: 'Drafts',
      scope: 'posts:read',
      plural: 'drafts',
      item: draftSchema,
      fetch: (page, { caller }) => listDrafts(db, page, caller.actor.id),
      present: presentDraft,
      place: ({ createdAt: at, id }) => ({ at, id }),
    }),

    route({
      method: 'GET',
      path: '/drafts/{id}',
      operationId: 'getDraft',
      summary: 'Get one draft',
      tag: 'Drafts',
      scope: 'posts:read',
      params: idParams,
      query: atQuery,
      answer: { status: 200, description: 'The draft.', schema: draftSchema },
      handle: async ({ params, query: { at }, caller }) => {
        const of = { projection: drafts, kind: draft, noun: 'draft' }
        const row = await asItWas(services, of, await own(params.id, caller), at)
        if (!maySee(row, caller.actor.id)) throw new Refusal('not_found', `This draft was private at ${at}.`)
        return { status: 200, body: presentDraft(row) }
      },
    }),

    route({
      method: 'PATCH',
      path: '/drafts/{id}',
      operationId: 'saveDraft',
      summary: 'Change a draft',
      description:
        'Fields that are left out stay as they are, and null removes one. Save as often as you like. Refused with ' +
        'failed_precondition once it has become a post. Only its author can change its visibility.',
      mayConflict: true,
      tag: 'Drafts',
      scope: 'posts:write',
      proposable: true,
      params: idParams,
      body: saveDraftBody,
      answer: { status: 200, description: 'The draft as it is now.', schema: draftSchema },
      handle: async (request) => {
        const { visibility, ...changes } = request.body
        const { id } = request.params
        await changeable(id, request.caller)
        const change = { visibility, content: (before: DraftContent) => withChanges(before, keptFields(changes)) }
        const state = await decide(request, id, (state) => saveDraft(state, change, request.caller.actor.id))
        return { status: 200, body: presentSaved(id, state, isoTime(clock.now())) }
      },
    }),

    route({
      method: 'POST',
      path: '/drafts/{id}/preview',
      operationId: 'previewDraft',
      summary: 'Preview a draft on each account, and plan it',
      description:
        'Like previewPost, for what the draft would become. It must have everything that a post needs. Publish or schedule ' +
        'the draft with the id of the returned plan, within 24 hours: then exactly this content goes to exactly these accounts.',
      effect: 'reads',
      reachesOut: true,
      tag: 'Drafts',
      scope: 'posts:write',
      proposable: true,
      params: idParams,
      answer: { status: 200, description: 'One item per account, and the plan.', schema: draftPreviewSchema },
      handle: async ({ params: { id }, caller }) => {
        const { workspaceId } = caller
        const { content } = await live(id, caller)
        const whole = { ...wholeContent(content, 'the draft'), workspaceId }
        const { previews } = await previewsOf(services, whole, undefined)
        const needsApproval = await asksApproval(services, caller, accountsIn(whole.selections))
        return { status: 200, body: { previews, needsApproval, plan: newPlan(id, content, clock.now()) } }
      },
    }),

    route({
      method: 'POST',
      path: '/drafts/{id}/publish',
      operationId: 'publishDraft',
      summary: 'Publish a draft',
      description: COMPLETE,
      reachesOut: true,
      mayConflict: true,
      tag: 'Drafts',
      scope: 'posts:write',
      proposable: true,
      params: idParams,
      body: publishDraftBody,
      idempotent: true,
      answer: { status: 202, description: 'Queued. Poll GET /posts/{id}.', schema: draftedPostSchema },
      handle: async (request) => {
        const asked = { ...request, body: request.body ?? {} }
        const made = await become(asked, (id, content) => make.queue(asked, id, content))
        const { scheduledAtUtc: undoUntil, awaitsApproval } = made
        return { status: 202, body: { ...made, ...(undoUntil && !awaitsApproval && { undoUntil }) } }
      },
    }),

    route({
      method: 'POST',
      path: '/drafts/{id}/schedule',
      operationId: 'scheduleDraft',
      summary: 'Schedule a draft',
      description: COMPLETE,
      mayConflict: true,
      tag: 'Drafts',
      scope: 'posts:write',
      proposable: true,
      params: idParams,
      body: scheduleDraftBody,
      idempotent: true,
      answer: { status: 201, description: 'Scheduled.', schema: draftedPostSchema },
      handle: async (request) => {
        const due = dueOf(request.body)
        const field = request.body.scheduledFor && 'scheduledFor'
        const schedule = (id: string, content: PostContent) => make.schedule(request, id, content, due, field)
        return { status: 201, body: await become(request, schedule) }
      },
    }),

    route({
      method: 'DELETE',
      path: '/drafts/{id}',
      operationId: 'deleteDraft',
      summary: 'Delete a draft',
      description: 'A post that it has become stays.',
      tag: 'Drafts',
      scope: 'posts:write',
      proposable: true,
      params: idParams,
      answer: { status: 204, description: 'Deleted.' },
      handle: async (request) => {
        await changeable(request.params.id, request.caller)
        await decide(request, request.params.id, deleteDraft)
        return { status: 204 }
      },
    }),
  ]
}

/** The same for every attempt: a draft becomes one post. */
export function postIdOf(draftId: string): string {
  return resourceId('post', draftId.slice(draftId.indexOf('_') + 1))
}
