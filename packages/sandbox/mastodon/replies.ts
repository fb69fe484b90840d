import type { FastifyReply } from 'fastify'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerAccount, LedgerComment } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { fanOf, writtenIn } from './fans.ts'
import { mustFit } from './length.ts'
import { shownStatus } from './shown.ts'

/** For how long a key answers with what was made with it. */
export const KEY_LIFETIME_MS = 3_600_000
const LEADING_NAMES = /^(?:@[\w.-]+(?:@[\w.-]+)?\s+)+/

interface NewReply {
  readonly id: string
  readonly token: string | undefined
  readonly status: string
  readonly visibility: string
  readonly to: LedgerComment
}

/** A reply to somebody who wrote to the account. */
export function takeReply(
  reply: FastifyReply,
  { id, token, status, visibility, to }: NewReply,
  account: LedgerAccount,
  deps: StandInDeps,
): Promise<FastifyReply> {
  const { ledger, clock } = deps
  const { externalId: accountId, label: author } = account
  const before = ledger
    .commentsOf('mastodon', accountId)
    .find((one) => one.token === token && Date.parse(one.createdAt) + KEY_LIFETIME_MS > clock.now())
  const isRepeated = token !== undefined && before !== undefined
  mustFit(status)
  return answer(reply, 'reply', account, deps, () => {
    if (isRepeated) return shownStatus(writtenIn(before, account), deps)
    const { postId } = to
    const comment: LedgerComment = {
      ...{ id, platform: 'mastodon', accountId, writtenBy: 'account', author },
      ...(token !== undefined && { token }),
      ...(postId !== undefined && { postId }),
      ...{ inReplyTo: to.id, text: status.replace(LEADING_NAMES, ''), createdAt: isoTime(clock.now()) },
      details: { status, visibility, to: fanOf(to.author).id },
    }
    ledger.addComment(comment)
    return shownStatus(writtenIn(comment, account), deps)
  })
}
