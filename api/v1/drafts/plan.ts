import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { Refusal } from '../../../domain/core/errors.ts'
import type { DraftContent } from '../../../domain/post/draft.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { resourceId } from '../../../infra/runtime/ids.ts'

const VALID_MS = 24 * 3_600_000
const DIGEST_LENGTH = 20
const PLAN = /^plan_([0-9A-Z]{26})_([0-9a-z]{1,9})_[0-9a-f]+$/

/**
 * The id of a plan: the draft, until when it is valid, and a digest of both and of the content. It is stored nowhere: the draft
 * is, and it becomes one post.
 */
function planOf(draftId: string, content: DraftContent, until: number): string {
  const of = canonicalize({ draftId, content, until }) ?? ''
  const digest = createHash('sha256').update(of).digest('hex').slice(0, DIGEST_LENGTH)
  return `plan_${draftId.slice(draftId.indexOf('_') + 1)}_${until.toString(36)}_${digest}`
}

/** A plan to publish a draft as it is. */
export function newPlan(draftId: string, content: DraftContent, now: number) {
  const until = now + VALID_MS
  return { id: planOf(draftId, content, until), expiresAt: isoTime(until) }
}

/** @throws Refusal failed_precondition when the draft was changed since, or the plan has expired */
export function mustBePlanned(plan: string, draftId: string, content: DraftContent, now: number): void {
  const [, , until = '0'] = PLAN.exec(plan) ?? []
  const expiresAt = parseInt(until, 36)
  if (plan !== planOf(draftId, content, expiresAt)) {
    throw new Refusal('failed_precondition', 'The draft is not as it was planned. previewDraft plans it again.')
  }
  if (expiresAt <= now) {
    throw new Refusal(
      'failed_precondition',
      `The plan expired at ${isoTime(expiresAt)}. previewDraft plans the draft again.`,
    )
  }
}

/** @throws Refusal invalid_request when it is none */
export function draftOfPlan(plan: string): string {
  const [, ulid] = PLAN.exec(plan) ?? []
  if (ulid === undefined) throw new Refusal('invalid_request', 'planId must be the id of a plan, such as plan_…')
  return resourceId('draft', ulid)
}
