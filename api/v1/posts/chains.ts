import { resourceId } from '../../../infra/runtime/ids.ts'
import { route, type AnyRoute } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'
import { chainBody, chainPreviewBody, contentOfChain, hasDue, queuedChainSchema } from './chain-schemas.ts'
import { awaiting, newPosts } from './new-posts.ts'
import { dueOf } from './post-schemas.ts'
import { previewsOf } from './previews.ts'
import { previewSchema } from './preview-schemas.ts'

/** Posts of text alone, and chains of posts that reply to each other. */
export function chainRoutes(services: Services): readonly AnyRoute[] {
  const make = newPosts(services)
  return [
    route({
      method: 'POST',
      path: '/posts/chain',
      operationId: 'queueChain',
      summary: 'Publish text, or a chain of posts, now or at a later time',
      description:
        'One part is a post that may have no media. Further parts are published as replies, each to the part before it, on ' +
        'each account in order. If a part fails, those after it are not published there, and retryPost goes on with the part ' +
        'that failed. Not every platform takes posts without media or chains: check with previewChain first. The answer is ' +
        'a post, scheduled with date or scheduledFor (time defaults to 09:00 and timezone to UTC); it is read, retried, edited, cancelled and unpublished like any other.',
      reachesOut: true,
      tag: 'Posts',
      scope: 'posts:write',
      proposable: true,
      body: chainBody,
      mayConflict: true,
      idempotent: true,
      answer: { status: 202, description: 'Queued or scheduled.', schema: queuedChainSchema },
      handle: async (request) => {
        const {
          date,
          time = '09:00',
          timezone = 'UTC',
          scheduledFor,
          allowDuplicate: _a,
          requestApproval: _r,
          ...chain
        } = request.body
        const id = resourceId('post', request.work)
        const content = { ...contentOfChain(chain), workspaceId: request.caller.workspaceId }
        if (!hasDue(request.body)) {
          return { status: 202, body: { runId: id, id, ...(await make.queue(request, id, content)) } }
        }
        const due = dueOf({ date, time, timezone, scheduledFor })
        const made = await make.schedule(request, id, content, due, scheduledFor && 'scheduledFor')
        return {
          status: 202,
          body: { runId: id, id, queued: false, scheduledAtUtc: made.due.dueAt, ...awaiting(made) },
        }
      },
    }),

    route({
      method: 'POST',
      path: '/posts/chain/preview',
      operationId: 'previewChain',
      summary: 'Preview text or a chain on each account without publishing it',
      description:
        'Takes the same input as queueChain, and returns for each account the final text of the first part, whether the ' +
        'account works, and every platform rule that any part would break.',
      effect: 'reads',
      reachesOut: true,
      tag: 'Posts',
      scope: 'posts:write',
      proposable: true,
      body: chainPreviewBody,
      answer: { status: 200, description: 'One item per account.', schema: previewSchema },
      handle: async ({ body: { scheduledFor, ...chain }, caller: { workspaceId } }) => ({
        status: 200,
        body: await previewsOf(services, { ...contentOfChain(chain), workspaceId }, scheduledFor),
      }),
    }),
  ]
}
