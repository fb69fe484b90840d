import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { handle, load } from '../../commands/handle.ts'
import { approvalTimes } from '../../commands/approval.ts'
import { roleIn } from '../../commands/member.ts'
import { GUEST_DECISIONS, mustBeUsable, reviewAsGuest } from '../../commands/review-link.ts'
import { Refusal } from '../../domain/core/errors.ts'
import type { Actor } from '../../domain/core/event.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { text } from '../../domain/core/text.ts'
import { post } from '../../domain/post/post.ts'
import { LONGEST_REMARK } from '../../domain/post/post-events.ts'
import { reviewSecrets } from '../../domain/post/review-secrets.ts'
import { apiKey } from '../../domain/workspace/api-key.ts'
import { needsApproval } from '../../domain/workspace/approval-policy.ts'
import { scopesOf } from '../../domain/workspace/role.ts'
import { reviewLinkFormat, sameHash } from '../../infra/runtime/key-format.ts'
import { findScheduledPost } from '../../projections/models/scheduled-posts.ts'
import { findApprovalPolicy, findUndoSeconds, findWorkspaces } from '../../projections/models/workspaces.ts'
import { mustBeAdmitted } from '../http/admission.ts'
import { addressBlock } from '../http/client-address.ts'
import type { TimeLimit } from '../http/time-limit.ts'
import { check } from '../http/validation.ts'
import { presentToGuest } from './present-to-guest.ts'
import { mustBeSameOrigin } from './same-origin.ts'
import type { DashboardServices } from './services.ts'

const token = text(200).describe('What follows # in the link.')
const tokenBody = z.object({ token })
const reviewBody = z
  .object({
    token,
    name: text(100).trim().min(1, { error: 'must not be blank' }),
    version: z.int().positive(),
    decision: z.enum(GUEST_DECISIONS),
    comment: text(LONGEST_REMARK)
      .trim()
      .transform((given) => given || undefined)
      .optional(),
  })
  .refine(({ decision, comment }) => decision === 'approve' || decision === 'reject' || comment !== undefined, {
    path: ['comment'],
    error: 'must not be blank',
  })

/** `POST /review-link` shows the post of a link, `POST /review` decides on it or comments. Both need no session. */
export function review(
  app: FastifyInstance,
  services: DashboardServices,
  { limit, publicUrl }: { readonly limit: TimeLimit; readonly publicUrl: string | undefined },
): void {
  const { db, log, clock, ids, throttle, seen } = services

  const admitted = async (request: FastifyRequest) => {
    mustBeSameOrigin(request, publicUrl)
    return throttle.ofGuest(addressBlock(String(request.ip)))
  }
  /** Neither the error nor its timing says whether the id or the secret is wrong. */
  const linkOf = async (raw: string) => {
    const parsed = reviewLinkFormat.parse(raw)
    const secrets = parsed && (await load(log, reviewSecrets, parsed.id))
    const secret = secrets?.links.find(({ secretHash }) => sameHash(secretHash, parsed?.secretHash ?? ''))
    if (!parsed || !secret) {
      throw new Refusal('not_found', 'No such link. Check that it is complete, or ask for another.')
    }
    mustBeUsable(secret, secrets?.over, clock.now())
    const row = await findScheduledPost(db, parsed.id)
    const link = row?.approval?.links.find(({ linkId }) => linkId === secret.linkId)
    if (!row?.approval || !link) throw new Refusal('failed_precondition', 'The post is not available now. Try again.')
    const [workspace] = await findWorkspaces(db, row.workspaceId)
    if (!workspace || workspace.closedAt !== null) throw new Refusal('not_found', 'Its workspace no longer exists.')
    if (!(await mayDecide(link.madeBy, row.workspaceId))) {
      throw new Refusal('failed_precondition', 'The person who made this link can no longer do that. Ask for another.')
    }
    return { row: { ...row, approval: row.approval }, link, workspace }
  }
  /** So that nobody keeps a way in by links from when they could decide. */
  const mayDecide = async ({ kind, id }: Actor, workspaceId: string): Promise<boolean> => {
    if (kind === 'cli') return true
    if (kind === 'user') {
      const role = await roleIn(log, id, workspaceId)
      return role !== undefined && scopesOf(role).includes('approvals:decide')
    }
    const key = await load(log, apiKey, id)
    return key.status === 'active' && key.scopes.includes('approvals:decide')
  }

  app.post('/review-link', async (request, reply) => {
    const { token } = check(tokenBody, request.body, 'body')
    mustBeAdmitted(await admitted(request), reply, clock)
    const found = await limit.keep(linkOf(token))
    return { ...(await presentToGuest(db, found)), requestId: request.id }
  })

  app.post('/review', async (request, reply) => {
    const { token, ...given } = check(reviewBody, request.body, 'body')
    mustBeAdmitted(await admitted(request), reply, clock)
    const status = await limit.keep(reviewed(await linkOf(token), given, request.id))
    return { status, requestId: request.id }
  })

  const reviewed = async (
    { row, link }: Awaited<ReturnType<typeof linkOf>>,
    given: Omit<z.output<typeof reviewBody>, 'token'>,
    requestId: string,
  ) => {
    const { id, workspaceId, selections } = row
    const { linkId, madeBy: actor } = link
    const isBound = needsApproval(await findApprovalPolicy(db, workspaceId), Object.values(selections).flat(), true)
    const undoMs = (await findUndoSeconds(db, workspaceId)) * 1000
    const commandId = derivedId('review', requestId, ids.token())
    const { state, position } = await handle(
      services,
      post,
      id,
      { commandId, actor, correlationId: id, requestId },
      (before) => reviewAsGuest(before, { linkId, ...given }, approvalTimes(clock.now(), undoMs), isBound),
    )
    if (position !== undefined) await seen.waitFor(position)
    return 'approval' in state ? state.approval?.status : undefined
  }
}
