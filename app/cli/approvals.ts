import { approve, approvalTimes, reject, requestChanges } from '../../commands/approval.ts'
import { handle } from '../../commands/handle.ts'
import { createReviewLink, revokeReviewLink } from '../../commands/review-link.ts'
import { setApprovalPolicy } from '../../commands/set-approval-policy.ts'
import { presentApproval } from '../../api/v1/approvals/present-approval.ts'
import { approvalsQuery, approveBody, linkBody, remarkBody } from '../../api/v1/approvals/approval-schemas.ts'
import { check } from '../../api/http/validation.ts'
import { approvalPolicySchema } from '../../api/kit/approval-policy-schema.ts'
import { namesIn } from '../../api/kit/names.ts'
import { NEXT_SLOT } from '../../api/v1/slots/next-slot.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { post, type PostState } from '../../domain/post/post.ts'
import type { PostEvent } from '../../domain/post/post-events.ts'
import { dueAtMoment } from '../../domain/post/wall-time.ts'
import { workspace } from '../../domain/workspace/workspace.ts'
import { newReviewLink } from '../../infra/runtime/review-link.ts'
import { findAccount } from '../../projections/models/accounts.ts'
import { findScheduledPost, listApprovals } from '../../projections/models/scheduled-posts.ts'
import { findApprovalPolicy, findUndoSeconds } from '../../projections/models/workspaces.ts'
import type { Core } from '../wiring/core.ts'
import { commandLineCause } from './cause.ts'
import { settled } from './settled.ts'
import { oneWorkspace } from './workspaces.ts'

/** Listed at once. */
const MOST_LISTED = 1_000

/** The posts of a workspace that are not decided, soonest first. */
export async function approvalsOf(core: Core, workspaceName: string) {
  const { id: workspaceId } = await oneWorkspace(core, workspaceName)
  const { status } = approvalsQuery.parse({})
  const names = await namesIn(core.db, workspaceId)
  const rows = await listApprovals(core.db, { workspaceId, limit: MOST_LISTED }, status)
  return rows.flatMap(({ approval, ...row }) => {
    if (!approval) return []
    const { id, status, version, requestedBy, post } = presentApproval({ ...row, approval }, names, core.clock.now())
    const by = requestedBy.label || requestedBy.id
    return [{ id, status, version, requestedBy: by, scheduledAtUtc: post.scheduledAtUtc, caption: post.caption }]
  })
}

/** @throws Refusal not_found */
export async function showApproval({ db, clock }: Core, id: string) {
  const row = await findScheduledPost(db, id)
  if (!row?.approval) throw new Refusal('not_found', `Nobody has requested approval of ${id}.`)
  const names = await namesIn(db, row.workspaceId)
  return presentApproval({ ...row, approval: row.approval }, names, clock.now())
}

export interface ApproveOptions {
  readonly seen?: string
  readonly comment?: string
  readonly at?: string
}

/** Approves a post, as it is now if no version is given. @throws Refusal as `approve` */
export async function approvePost(core: Core, id: string, { seen, comment, at: scheduledFor }: ApproveOptions) {
  const shown = await showApproval(core, id)
  const given = { version: seen === undefined ? shown.version : Number(seen), comment, scheduledFor }
  const body = check(approveBody, given, 'the command')
  if (body.scheduledFor === NEXT_SLOT) throw new Refusal('invalid_request', 'at must be now or a time in UTC')
  const { timezone } = shown.post
  const due =
    body.scheduledFor === undefined || body.scheduledFor === 'now'
      ? body.scheduledFor
      : dueAtMoment(body.scheduledFor, timezone)
  const row = await findScheduledPost(core.db, id)
  const undoMs = row ? (await findUndoSeconds(core.db, row.workspaceId)) * 1000 : 0
  return decide(core, id, (state) => approve(state, { ...body, due }, approvalTimes(core.clock.now(), undoMs)))
}

/** @throws Refusal as `requestChanges` */
export async function requestChangesOf(core: Core, id: string, given: { readonly comment: string }) {
  const { comment } = check(remarkBody, given, 'the command')
  return decide(core, id, (state) => requestChanges(state, comment))
}

/** @throws Refusal as `reject` */
export async function rejectPost(core: Core, id: string, given: { readonly comment?: string }) {
  const comment = given.comment === undefined ? undefined : check(remarkBody, given, 'the command').comment
  return decide(core, id, (state) => reject(state, comment))
}

export interface ShareOptions {
  readonly label?: string
  readonly days?: string
  readonly commentOnly?: boolean
}

/** The link is shown once and never again. @throws Refusal as `createReviewLink` */
export async function shareForApproval(core: Core, id: string, { label, days, commentOnly = false }: ShareOptions) {
  const given = { label, ...(days !== undefined && { days: Number(days) }), mayDecide: !commentOnly }
  const linkId = derivedId('review-link', core.ids.token())
  const body = check(linkBody, given, 'the command')
  const { link, data } = newReviewLink(core.reachedAt.url, id, { linkId, ...body }, core.clock.now())
  await decide(core, id, (state) => createReviewLink(state, data, core.clock.now()))
  return { id: linkId, expiresAt: data.expiresAt, link }
}

/** @throws Refusal as `revokeReviewLink` */
export async function unshare(core: Core, id: string, linkId: string) {
  return decide(core, id, (state) => revokeReviewLink(state, linkId))
}

async function decide(core: Core, id: string, decision: (state: PostState) => readonly PostEvent[]) {
  await settled(core, await handle(core, post, id, commandLineCause(core.ids), decision))
  return showApproval(core, id)
}

export interface PolicyOptions {
  readonly who?: string
  readonly account?: readonly string[]
}

/** Shows whose posts need approval, or sets it. @throws Refusal naming the option */
export async function approvalPolicyOf(core: Core, workspaceName: string, { who, account: accountIds }: PolicyOptions) {
  const { id } = await oneWorkspace(core, workspaceName)
  if (who === undefined && accountIds === undefined) return (await findApprovalPolicy(core.db, id)) ?? { who: 'nobody' }
  const policy = check(approvalPolicySchema, { who, ...(accountIds && { accountIds }) }, 'the command')
  for (const accountId of accountIds ?? []) {
    const row = await findAccount(core.db, accountId)
    if (row?.workspaceId !== id) throw new Refusal('not_found', `The workspace has no account ${accountId}.`)
  }
  const cause = commandLineCause(core.ids)
  await settled(core, await handle(core, workspace, id, cause, (state) => setApprovalPolicy(state, policy)))
  return policy
}
