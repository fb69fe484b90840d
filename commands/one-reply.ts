import { Refusal } from '../domain/core/errors.ts'
import { comment } from '../domain/conversation/comment.ts'
import { derivedId } from '../domain/core/ids.ts'
import { isOpened, reply, type ReplyState } from '../domain/conversation/reply.ts'
import { claimReply, openDraft } from './comment.ts'
import { handle, load, type Cause, type CommandDeps } from './handle.ts'

/*
 * One open draft per comment, and no second reply that nobody asked for. Each reply has its own stream, so drafts and replies
 * are ordered by their claims on the comment's stream. A claim precedes its reply: a crash in between leaves a claim without
 * a reply, which is ignored after a minute.
 */

const CLAIM_MS = 60_000

/** The reply that holds a comment's draft: the open one, or `newId`. */
export async function draftOf(deps: CommandDeps, commentId: string, newId: string, cause: Cause): Promise<string> {
  for (;;) {
    const state = await load(deps.log, comment, commentId)
    const open = state.status === 'absent' ? undefined : state.draft?.replyId
    if (open !== undefined && isUndecided(await load(deps.log, reply, open))) return open
    const claim = { ...cause, commandId: derivedId(cause.commandId, 'draft', open ?? '') }
    const after = await handle(deps, comment, commentId, claim, (now) => openDraft(now, newId, open))
    const claimed = after.state.status === 'absent' ? undefined : after.state.draft?.replyId
    if (claimed === undefined || claimed === newId) return newId
  }
}

/** Claims a comment for a reply that is sent regardless of other replies. */
export async function claimForReply(
  deps: CommandDeps,
  commentId: string,
  replyId: string,
  cause: Cause,
): Promise<void> {
  const claim = { ...cause, commandId: derivedId(cause.commandId, 'claim') }
  await handle(deps, comment, commentId, claim, (state) => claimReply(state, replyId))
}

/**
 * Claims a comment for a reply that is sent only if there is no other.
 *
 * @throws Refusal failed_precondition naming the reply that was sent, for a draft: since it was opened
 */
export async function claimForDraft(
  deps: CommandDeps,
  commentId: string,
  replyId: string,
  cause: Cause,
): Promise<void> {
  for (;;) {
    const other = await replySince(deps, commentId, replyId)
    if (other.replyId !== undefined) {
      throw new Refusal('failed_precondition', `The comment already has a reply: ${other.replyId}.`)
    }
    let isClaimed = false
    const claim = { ...cause, commandId: derivedId(cause.commandId, 'claim', other.claims) }
    await handle(deps, comment, commentId, claim, (state) => {
      isClaimed =
        state.status === 'absent' || state.claims.length === other.claims || state.claims.at(-1)?.replyId === replyId
      return isClaimed ? claimReply(state, replyId) : []
    })
    if (isClaimed) return
  }
}

/** The reply that was sent, or may have been, since a draft was opened, and how many claims the comment has. */
export async function replySince(
  { log, clock }: CommandDeps,
  commentId: string,
  draftId: string,
): Promise<{ readonly replyId: string | undefined; readonly claims: number }> {
  const state = await load(log, comment, commentId)
  if (state.status === 'absent') return { replyId: undefined, claims: 0 }
  const from = state.draft?.replyId === draftId ? state.draft.claims : 0
  for (const { replyId, at } of state.claims.slice(from)) {
    if (replyId === draftId) continue
    const other = await load(log, reply, replyId)
    if (isOut(other, clock.now() - Date.parse(at))) return { replyId, claims: state.claims.length }
  }
  return { replyId: undefined, claims: state.claims.length }
}

/** Whether the reply waits for a decision, or has no events yet. */
export function isUndecided(state: ReplyState): boolean {
  return !isOpened(state) || state.status === 'pending' || state.status === 'failed'
}

/** Whether the reply was sent, or may have been. @param ageMs age of its claim */
function isOut(state: ReplyState, ageMs: number): boolean {
  if (!isOpened(state)) return ageMs < CLAIM_MS
  if (state.status === 'sending' || state.status === 'sent') return true
  // The outcome of its call is unknown.
  return state.status === 'failed' && state.sending?.startedAt !== undefined
}
