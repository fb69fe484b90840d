import * as z from 'zod'
import { handle } from '../../../commands/handle.ts'
import { createReviewLink, revokeReviewLink } from '../../../commands/review-link.ts'
import { derivedId } from '../../../domain/core/ids.ts'
import { text } from '../../../domain/core/text.ts'
import { post } from '../../../domain/post/post.ts'
import { newReviewLink } from '../../../infra/runtime/review-link.ts'
import { causeOf } from '../../http/cause.ts'
import { route, type AnyRoute } from '../../http/route.ts'
import { decider } from '../../kit/decide.ts'
import type { Services } from '../../kit/services.ts'
import { createdLinkSchema, linkBody } from './approval-schemas.ts'
import { accountsIn, asksApproval } from './asks-approval.ts'
import { mustBePerson, ownApproval } from './own-approval.ts'

const TAG = 'Approvals'

/** Links with which somebody without an account reviews one post: `api/dashboard/review.ts` is what they lead to. */
export function reviewLinkRoutes(services: Services): readonly AnyRoute[] {
  const { clock, seen, url } = services
  const decide = decider(services, post)
  return [
    route({
      method: 'POST',
      path: '/approvals/{id}/links',
      operationId: 'shareForApproval',
      summary: 'Create a link with which a client reviews one post without a login',
      description:
        'The link shows this post and nothing else, and the answer is the only one that has it. It ends when the post is ' +
        'published, cancelled or rejected. A post has at most 10 links at a time. Where everyone needs approval, nobody shares ' +
        'their own post except for comments.',
      mayConflict: true,
      tag: TAG,
      scope: 'approvals:decide',
      params: z.object({ id: text(100) }),
      body: linkBody,
      idempotent: true,
      confidential: true,
      answer: { status: 201, description: 'The link. Send it to the client.', schema: createdLinkSchema },
      handle: async (request) => {
        const { body, caller, params, work } = request
        const { id, selections, authorId } = await ownApproval(services, params.id, caller)
        if (body.mayDecide) await mustBePerson(services, caller, authorId)
        const isBound = await asksApproval(services, caller, accountsIn(selections))
        const linkId = derivedId('review-link', work)
        const { link, data } = newReviewLink(url(), id, { linkId, ...body }, clock.now())
        // A repeat replaces the link of the first attempt, whose secret was lost with its answer.
        const cause = { ...causeOf(request, id), commandId: derivedId('review-link', work, data.secretHash) }
        const { position } = await handle(services, post, id, cause, (state) =>
          createReviewLink(state, data, clock.now(), isBound ? caller.actor : undefined),
        )
        if (position !== undefined) await seen.waitFor(position)
        const { label, mayDecide, expiresAt } = data
        return { status: 201, body: { id: linkId, link, label, mayDecide, expiresAt } }
      },
    }),

    route({
      method: 'DELETE',
      path: '/approvals/{id}/links/{linkId}',
      operationId: 'revokeApprovalLink',
      summary: 'Revoke a link to an approval',
      mayConflict: true,
      tag: TAG,
      scope: 'approvals:decide',
      params: z.object({ id: text(100), linkId: text(100) }),
      answer: { status: 204, description: 'Revoked. It no longer works.' },
      handle: async (request) => {
        const { id } = await ownApproval(services, request.params.id, request.caller)
        await decide(request, id, (state) => revokeReviewLink(state, request.params.linkId))
        return { status: 204 }
      },
    }),
  ]
}
