import * as z from 'zod'
import { post, type PostContent } from '../../../domain/post/post.ts'
import { streamName } from '../../../domain/core/event.ts'
import { text } from '../../../domain/core/text.ts'
import { cancelSchedule, editScheduledPost } from '../../../commands/schedule-post.ts'
import { posts } from '../../../projections/models/posts.ts'
import { rowAt } from '../../../projections/engine/row-at.ts'
import {
  findScheduledPost,
  listScheduledPosts,
  scheduledPosts,
  versionOf,
  type ScheduledPostRow,
} from '../../../projections/models/scheduled-posts.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { resourceId } from '../../../infra/runtime/ids.ts'
import { asItWas } from '../../kit/as-it-was.ts'
import { decider } from '../../kit/decide.ts'
import { atQuery } from '../history/history-schemas.ts'
import { listRoute } from '../../kit/list-route.ts'
import { editPostBody } from '../posts/post-changes.ts'
import { accountsIn, asksApproval, mustBeOwn } from '../approvals/asks-approval.ts'
import { withAuthors } from '../posts/authors.ts'
import { newPosts } from '../posts/new-posts.ts'
import { postFilters, scheduledPostsQuery } from '../posts/post-filters.ts'
import { dueOf, scheduledPostSchema, schedulePostBody } from '../posts/post-schemas.ts'
import { withinBudgets } from '../../kit/within-budgets.ts'
import { owned } from '../../kit/owned.ts'
import { route, type AnyRoute, type Caller } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'
import { applyEdit } from './apply-edit.ts'
import { presentRow, presentState } from './present-scheduled-post.ts'

const idParams = z.object({ id: text(100) })

/** Posts to be published later (api-spec §4, Posts; decisions, "Scheduled posts"). */
export function scheduledPostRoutes(services: Services): readonly AnyRoute[] {
  const { db, clock } = services
  const costOf = (content: PostContent) => services.prices.ofPost(content)

  const ownRow = async (id: string, caller: Caller) => owned(await findScheduledPost(db, id), caller, 'scheduled post')
  const decide = decider(services, post)
  const make = newPosts(services)

  return [
    route({
      method: 'POST',
      path: '/posts/scheduled',
      operationId: 'schedulePost',
      summary: 'Publish media to accounts at a later time',
      description:
        'Date and time are in timezone, which defaults to UTC. scheduledFor takes their place: a time in UTC, or ' +
        '"next-slot" for the next free slot. A time in the past is refused. The post ' +
        'can be edited, rescheduled or cancelled until then.',
      tag: 'Scheduled posts',
      scope: 'posts:write',
      proposable: true,
      body: schedulePostBody,
      mayConflict: true,
      idempotent: true,
      answer: { status: 201, description: 'Scheduled. The post will have the same id.', schema: scheduledPostSchema },
      handle: async (request) => {
        const {
          date: _d,
          time: _t,
          timezone: _z,
          scheduledFor: _s,
          allowDuplicate: _a,
          requestApproval: _r,
          ...content
        } = request.body
        const id = resourceId('post', request.work)
        const command = { ...content, workspaceId: request.caller.workspaceId }
        const field = request.body.scheduledFor && 'scheduledFor'
        // From the log: a repeat with the same key may have a different body.
        const kept = await make.schedule(request, id, command, dueOf(request.body), field)
        return { status: 201, body: presentState(id, kept, isoTime(clock.now())) }
      },
    }),

    listRoute(services, {
      path: '/scheduled-posts',
      operationId: 'listScheduledPosts',
      summary: 'List pending scheduled posts, soonest first',
      description: 'Only pending ones. Published ones are among the posts.',
      query: scheduledPostsQuery,
      tag: 'Scheduled posts',
      scope: 'posts:read',
      plural: 'scheduledPosts',
      item: scheduledPostSchema,
      fetch: async (page, { query, caller }) => {
        const rows = await listScheduledPosts(db, page, postFilters(query, 's', 'due_at', caller.actor.id))
        return withAuthors(db, page.workspaceId, rows)
      },
      present: presentRow,
      place: ({ dueAt: at, id }) => ({ at, id }),
    }),

    route({
      method: 'GET',
      path: '/scheduled-posts/{id}',
      operationId: 'getScheduledPost',
      summary: 'Get one scheduled post, even after its time',
      description: 'The post that it becomes has the same id.',
      tag: 'Scheduled posts',
      scope: 'posts:read',
      params: idParams,
      query: atQuery,
      answer: { status: 200, description: 'The scheduled post.', schema: scheduledPostSchema },
      handle: async ({ params: { id }, query: { at }, caller }) => {
        const { postStatus, results, ...row } = await ownRow(id, caller)
        const of = { projection: scheduledPosts, kind: post, noun: 'scheduled post' }
        const then = await asItWas<ScheduledPostRow>(services, of, row, at)
        const [authored = then] = await withAuthors(db, caller.workspaceId, [then])
        if (at === undefined) return { status: 200, body: presentRow({ ...authored, postStatus, results }) }
        const out = await rowAt(services.log, posts, streamName(post, id), id, at)
        const became = { postStatus: out?.status ?? null, results: out?.results ?? null }
        return { status: 200, body: presentRow({ ...authored, ...became }) }
      },
    }),

    route({
      method: 'PATCH',
      path: '/scheduled-posts/{id}',
      operationId: 'reschedulePost',
      summary: 'Edit or reschedule a pending scheduled post',
      description:
        'Takes any field of schedulePost; fields that are left out stay as they are. null removes firstComment or ' +
        'platformOptions. The time is scheduledFor, scheduledAtUtc, or date, time and timezone. Refused with failed_precondition once ' +
        'publishing has started.',
      mayConflict: true,
      tag: 'Scheduled posts',
      scope: 'posts:write',
      proposable: true,
      params: idParams,
      body: editPostBody,
      answer: { status: 200, description: 'The scheduled post as it is now.', schema: scheduledPostSchema },
      handle: async (request) => {
        const { id } = request.params
        const before = await ownRow(id, request.caller)
        mustBeOwn(request.caller, before.authorId, 'post')
        const selections = request.body.selections ?? before.selections
        const asks = await asksApproval(services, request.caller, accountsIn(selections))
        const { content } = versionOf(before)
        const state = await applyEdit(services, before, request.body, (edit) =>
          withinBudgets(
            services,
            request,
            `${id} ${request.work}`,
            { usd: async () => (edit.content ? (await costOf(edit.content(content))) - (await costOf(content)) : 0) },
            () => decide(request, id, (post) => editScheduledPost(post, { ...edit, asks }, clock.now())),
          ),
        )
        // No edit publishes the post.
        const body = 'due' in state ? presentState(id, state, before.createdAt) : presentRow(before)
        return { status: 200, body }
      },
    }),

    route({
      method: 'DELETE',
      path: '/scheduled-posts/{id}',
      operationId: 'cancelScheduledPost',
      summary: 'Cancel a pending scheduled post',
      description: 'It will not be published. Refused with failed_precondition once publishing has started.',
      mayConflict: true,
      tag: 'Scheduled posts',
      scope: 'posts:write',
      proposable: true,
      params: idParams,
      answer: { status: 204, description: 'Cancelled. It will not be published.' },
      handle: async (request) => {
        const { authorId } = await ownRow(request.params.id, request.caller)
        mustBeOwn(request.caller, authorId, 'post')
        await decide(request, request.params.id, cancelSchedule)
        return { status: 204 }
      },
    }),
  ]
}
