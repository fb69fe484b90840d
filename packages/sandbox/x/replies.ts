import type { FastifyReply } from 'fastify'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answerX } from './answer.ts'
import { forbidden, invalid } from './refusal.ts'

export interface NewReply {
  readonly id: string
  readonly text: string
  readonly to: string
}

/**
 * A reply to somebody who wrote to the account; apps on the usual plan may reply to nobody else.
 *
 * @throws StandInRefusal
 */
export function takeReply(
  reply: FastifyReply,
  { id, text, to }: NewReply,
  account: LedgerAccount,
  deps: StandInDeps,
): Promise<FastifyReply> {
  const { externalId: accountId, label: author } = account
  const target = deps.ledger.comment('x', to)
  if (!target) throw forbidden('You attempted to reply to a Post that is deleted or not visible to you.')
  if (target.accountId !== accountId) {
    throw forbidden('Reply to this conversation is not allowed because you have not been mentioned by its author.')
  }
  if (text.trim() === '') throw invalid('text', 'is empty')
  const { postId } = target
  return answerX(reply, 'reply', account, deps, () => {
    deps.ledger.addComment({
      id,
      platform: 'x',
      accountId,
      ...(postId !== undefined && { postId }),
      inReplyTo: to,
      writtenBy: 'account',
      author,
      text,
      createdAt: isoTime(deps.clock.now()),
    })
    return { status: 201, body: { data: { id, text, edit_history_tweet_ids: [id] } } }
  })
}
