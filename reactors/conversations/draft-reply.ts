import { comment, commentStreamId } from '../../domain/conversation/comment.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { account } from '../../domain/account/account.ts'
import { isOpened, reply, type Drafting, type LiveReply, type ReplyState } from '../../domain/conversation/reply.ts'
import type { AttemptPolicy } from '../../commands/attempt-policy.ts'
import { handle, load, type CommandDeps } from '../../commands/handle.ts'
import { claimForDraft, replySince } from '../../commands/one-reply.ts'
import { approveAutomatically, draftFailed, draftWritten, requireReview, supersedeReply } from '../../commands/reply.ts'
import { voiceOf } from '../../commands/set-voice.ts'
import { TextModelError, type TextModel } from '../../infra/ai/text.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { restoredAt } from '../../infra/postgres/restores.ts'
import type { ReplyEvent } from '../../domain/conversation/reply-events.ts'
import { countAutomatic } from '../../projections/models/replies.ts'
import type { Seen } from '../../projections/engine/seen.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { draftRequest } from './draft-request.ts'
import { DONE, park, type Reactor } from '../runtime/reactor.ts'

export interface DraftReplyDeps extends CommandDeps {
  /** Absent: every draft fails. */
  readonly textModel: TextModel | undefined
  readonly policy: AttemptPolicy
  readonly db: Database
  readonly seen: Pick<Seen, 'waitFor'>
  /** Limit of replies sent without approval, per account and hour. */
  readonly automaticPerHour: number
}

const HOUR_MS = 3_600_000

/**
 * Generates the requested draft. Only the account's automation decides whether a draft is sent without approval, whatever the
 * comment or the model says.
 */
export function draftReplyReactor(deps: DraftReplyDeps): Reactor {
  return async ({ subject: id, token }, signal) => {
    const { log, clock, policy } = deps
    const state = await load(log, reply, id)
    if (!isOpened(state)) return DONE
    const decide = async (step: string, decision: (state: ReplyState) => readonly ReplyEvent[]) => {
      const commandId = derivedId(token, step)
      const cause = { commandId, actor: { kind: 'reactor', id: 'draft-reply' }, correlationId: id } as const
      const { position } = await handle(deps, reply, id, cause, decision)
      // The hourly limit counts what the read model shows.
      if (position !== undefined) await deps.seen.waitFor(position)
    }
    if (state.isAutomatic) {
      const objection = await objectionTo(deps, state)
      const out = objection === undefined ? await claimed(deps, state, id, token) : undefined
      await decide('approve', (state) => {
        if (out !== undefined) return supersedeReply(state, out)
        return objection === undefined ? approveAutomatically(state) : requireReview(state, objection)
      })
      return DONE
    }
    if (!state.drafting) return DONE
    const { request: request, notBefore } = state.drafting
    const waits = Date.parse(notBefore ?? '')
    if (waits > clock.now()) return park(waits)
    const written = await draft(deps, state, state.drafting, signal)
    await decide('draft', (state) =>
      'error' in written
        ? draftFailed(state, request, written, policy, clock.now())
        : draftWritten(state, request, written),
    )
    return DONE
  }
}

/** Claims the comment for the draft. @returns the reply that was sent first, if any */
async function claimed(deps: DraftReplyDeps, state: LiveReply, id: string, token: string): Promise<string | undefined> {
  const stream = commentStreamId(state.accountId, state.commentId)
  const actor = { kind: 'reactor', id: 'draft-reply' } as const
  try {
    await claimForDraft(deps, stream, id, { commandId: derivedId(token, 'claim'), actor, correlationId: id })
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return (await replySince(deps, stream, id)).replyId
    throw error
  }
}

/** Why a draft needs approval; undefined when it may be sent. */
async function objectionTo(
  { log, db, clock, automaticPerHour }: DraftReplyDeps,
  { accountId, commentId }: LiveReply,
): Promise<string | undefined> {
  const state = await load(log, account, accountId)
  if (state.status !== 'connected') return 'The account was disconnected.'
  if (state.automation.mode !== 'auto') return 'The automation of the account no longer sends replies without approval.'
  if (await mayBeForgotten(log, db, { accountId, commentId })) return FORGOTTEN
  const sent = await countAutomatic(db, accountId, isoTime(clock.now() - HOUR_MS))
  return sent < automaticPerHour
    ? undefined
    : `${sent} replies were sent automatically within an hour, which is the limit: this one awaits approval.`
}

const FORGOTTEN =
  'The service was restored from a backup after this comment was written and may already have replied to it. This reply awaits approval.'

/** Whether the log was restored after the comment was written, and so may lack a reply to it. */
async function mayBeForgotten(
  log: CommandDeps['log'],
  db: Database,
  { accountId, commentId }: Pick<LiveReply, 'accountId' | 'commentId'>,
): Promise<boolean> {
  const at = await restoredAt(db)
  if (at === undefined) return false
  const written = await load(log, comment, commentStreamId(accountId, commentId))
  return written.status === 'absent' || Date.parse(written.createdAt) <= at
}

async function draft({ log, textModel }: DraftReplyDeps, state: LiveReply, drafting: Drafting, signal: AbortSignal) {
  if (!textModel) {
    const error = 'No AI provider is configured: set AI_PROVIDER, or write the text yourself.'
    return { error, isFinal: true }
  }
  try {
    return await textModel.write(draftRequest(state, drafting, await voiceOf(log, state.workspaceId)), signal)
  } catch (error) {
    if (!(error instanceof TextModelError) || signal.aborted) throw error
    return { error: error.message, isFinal: error.kind === 'permanent', retryAfterMs: error.retryAfterMs }
  }
}
