import { commentStreamId, type References } from '../../../domain/conversation/comment.ts'
import { isOpened, reply } from '../../../domain/conversation/reply.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { claimForDraft, claimForReply, draftOf } from '../../../commands/one-reply.ts'
import { editDraft, openReply, requestDraft } from '../../../commands/reply.ts'
import { findAccount, type AccountRow } from '../../../projections/models/accounts.ts'
import type { CommentRow } from '../../../projections/models/comments.ts'
import { repliesTo, type ReplyRow } from '../../../projections/models/replies.ts'
import { resourceId } from '../../../infra/runtime/ids.ts'
import { asksApproval } from '../approvals/asks-approval.ts'
import { causeOf } from '../../http/cause.ts'
import type { Caller, RouteRequest } from '../../http/route.ts'
import { withinBudgets } from '../../kit/within-budgets.ts'
import { decider } from '../../kit/decide.ts'
import { owned } from '../../kit/owned.ts'
import type { Services } from '../../kit/services.ts'

/** What a reply is to. */
interface Answered {
  readonly account: AccountRow
  readonly comment: CommentRow
  /** As the AI reads it. */
  readonly commentText: string
  readonly references: References
}

/** What it says, or what the AI is told. */
interface Answer {
  readonly directText?: string | undefined
  readonly instruction?: string | undefined
  readonly ifReplied: 'send' | 'refuse'
  /** Whether the text waits in the review inbox even where it needs no approval. */
  readonly review?: boolean | undefined
}

type Request = RouteRequest<unknown, unknown, unknown>

/** Replies to comments for requests. */
export function answers(services: Services) {
  const { db, replyRulesOf } = services
  const decide = decider(services, reply)

  const answer = async (
    request: Request,
    { account, comment, commentText, references }: Answered,
    { directText, instruction = '', ifReplied, review = false }: Answer,
  ): Promise<string> => {
    const { caller } = request
    const { platform, commentId } = comment
    const stream = commentStreamId(account.id, commentId)
    const opened = {
      ...{ workspaceId: caller.workspaceId, platform, accountId: account.id, commentId, commentText, references },
      commentAuthor: comment.author,
      source: 'api' as const,
    }
    const before = await repliesTo(db, account.id, commentId)
    if (directText !== undefined && ifReplied === 'refuse') mustBeUnanswered(comment, before)
    const newId = resourceId('rep', request.work)
    const cause = causeOf(request, newId)
    const waits = directText !== undefined && (review || (await asksApproval(services, caller, [account.id])))
    if (directText !== undefined && !waits) {
      await (ifReplied === 'refuse' ? claimForDraft : claimForReply)(services, stream, newId, cause)
      await decide(request, newId, (state) => openReply(state, opened, { text: directText }))
      return newId
    }
    const said = [account.automation.instruction, instruction].filter((part) => part.trim() !== '').join('\n')
    const id = before.find(isInInbox)?.id ?? (await draftOf(services, stream, newId, cause))
    await decide(request, id, (state) => {
      if (directText !== undefined) {
        return isOpened(state)
          ? editDraft(state, directText, 'directText')
          : openReply(state, opened, { text: directText, awaitsApproval: true })
      }
      return isOpened(state)
        ? requestDraft(state, said)
        : openReply(state, opened, { instruction: said, automatic: false })
    })
    return id
  }

  return {
    /** @throws Refusal not_found, forbidden, or invalid_request when the account is on another platform */
    ownAccount: async (id: string, platform: Parameters<typeof replyRulesOf>[0], caller: Caller) => {
      const account = owned(await findAccount(db, id), caller, 'account')
      const rules = replyRulesOf(platform)
      if (!account.connected) throw new Refusal('failed_precondition', 'The account is no longer connected.')
      if (account.platform !== platform) {
        throw new Refusal('invalid_request', `platform: the account is on ${account.platform}`)
      }
      if (!rules) throw new Refusal('invalid_request', `platform: replies on ${platform} are not supported`)
      return { account, rules }
    },

    /** @returns the reply's id @throws Refusal failed_precondition when the comment has a reply, and it is not to have another */
    answer: async (request: Request, answered: Answered, said: Answer): Promise<string> => {
      const { directText } = said
      if (directText === undefined) return answer(request, answered, said)
      const uses = { replies: () => 1, usd: () => services.prices.ofReply(answered.account, directText) }
      return withinBudgets(services, request, resourceId('rep', request.work), uses, () =>
        answer(request, answered, said),
      )
    },
  }
}

function isInInbox({ status }: ReplyRow): boolean {
  return status === 'pending' || status === 'failed'
}

/** @throws Refusal failed_precondition naming the existing reply */
function mustBeUnanswered({ replied }: CommentRow, replies: readonly ReplyRow[]): void {
  const out = replies.find(({ status }) => status === 'sent' || status === 'sending')
  if (!replied && !out) return
  const which = out ? `${out.id}, “${out.draft}”` : 'one that was not sent by this service'
  throw new Refusal(
    'failed_precondition',
    `The comment already has a reply: ${which}. To send another, set ifReplied to send.`,
  )
}
