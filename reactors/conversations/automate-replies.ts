import { account } from '../../domain/account/account.ts'
import { comment, commentStreamId, type CommentContent } from '../../domain/conversation/comment.ts'
import { eventOf, parseStreamName, type RecordedEvent } from '../../domain/core/event.ts'
import { derivedId, derivedUlid } from '../../domain/core/ids.ts'
import { MENTION_PLATFORMS } from '../../domain/core/platform.ts'
import { reply } from '../../domain/conversation/reply.ts'
import { handle, load, type CommandDeps } from '../../commands/handle.ts'
import { draftOf, replySince } from '../../commands/one-reply.ts'
import { openReply, supersedeReply, type ReplyRequest } from '../../commands/reply.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { isOurs, repliesTo } from '../../projections/models/replies.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import type { Interest } from '../runtime/follower-checkpoint.ts'
import type { Handler } from '../runtime/follower.ts'

interface Sent {
  readonly recorded: RecordedEvent
  readonly sent: Pick<CommentContent, 'accountId' | 'commentId'>
}

interface Received {
  readonly recorded: RecordedEvent
  readonly content: CommentContent
}

export const AUTOMATE_REPLIES: Interest<Received | Sent> = {
  name: 'automate-replies',
  categories: [comment.category, reply.category],
  select: (recorded) => {
    const sent = eventOf(reply, recorded)
    if (sent) return sent.type === 'ReplySent' ? { recorded, sent: sent.data } : undefined
    const event = eventOf(comment, recorded)
    return event?.type === 'CommentReceived' && !recorded.isErased ? { recorded, content: event.data } : undefined
  },
}

/** How far (ms) a platform's clock may lag behind ours. */
const CLOCK_TOLERANCE_MS = 5 * 60_000

/**
 * Opens a reply to each comment as its account's automation asks. The reply's id derives from the comment, so a repeat opens no
 * second one. The service never replies to its own comments. When a reply is sent, the drafts opened before it leave the inbox.
 */
export function automateReplies(deps: CommandDeps & { readonly db: Database }): Handler<Received | Sent> {
  return async (selected, signal) => {
    for (const one of selected) {
      if (signal.aborted) return
      if ('sent' in one) {
        await supersedeDrafts(deps, one)
        continue
      }
      const { recorded, content } = one
      if (content.replied || (await isOurs(deps.db, content))) continue
      const request = await requestFor(deps, content)
      if (request === 'none') continue
      const id = resourceId('rep', derivedUlid('automation', parseStreamName(recorded.stream).id))
      const cause = {
        commandId: derivedId('automation', recorded.id),
        actor: { kind: 'reactor', id: 'automate-replies' },
        correlationId: parseStreamName(recorded.stream).id,
      } as const
      const { workspaceId, platform, accountId, commentId, text, author, references } = content
      const opened = {
        ...{ workspaceId, platform, accountId, commentId, references },
        ...{ commentText: text, commentAuthor: author, source: 'automation' as const },
      }
      // A user may have requested a draft already.
      if ((await draftOf(deps, commentStreamId(accountId, commentId), id, cause)) !== id) continue
      await handle(deps, reply, id, cause, (state) => openReply(state, opened, request))
    }
  }
}

async function supersedeDrafts(
  deps: CommandDeps & { readonly db: Database },
  { recorded, sent: { accountId, commentId } }: Sent,
): Promise<void> {
  const stream = commentStreamId(accountId, commentId)
  const sentId = parseStreamName(recorded.stream).id
  const state = await load(deps.log, comment, stream)
  if (state.status === 'absent') return
  const hasClaim = state.claims.some(({ replyId }) => replyId === sentId)
  const known = (await repliesTo(deps.db, accountId, commentId)).map(({ id }) => id)
  for (const id of new Set([...known, ...(state.draft ? [state.draft.replyId] : [])])) {
    if (id === sentId) continue
    const by = hasClaim ? (await replySince(deps, stream, id)).replyId : sentId
    if (by === undefined) continue
    const cause = {
      commandId: derivedId('supersede', recorded.id, id),
      actor: { kind: 'reactor', id: 'automate-replies' },
      correlationId: id,
    } as const
    await handle(deps, reply, id, cause, (now) => supersedeReply(now, by))
  }
}

/**
 * Comments from before the automation was switched on are ignored. On platforms that have mentions instead of comments, these
 * always enter the review inbox, without a draft if none is wanted.
 */
async function requestFor(
  { log }: CommandDeps,
  { accountId, platform, createdAt }: CommentContent,
): Promise<ReplyRequest | 'none'> {
  const state = await load(log, account, accountId)
  if (state.status !== 'connected') return 'none'
  const { mode, instruction, since = '' } = state.automation
  const isMeant = mode !== 'off' && Date.parse(createdAt) >= Date.parse(since) - CLOCK_TOLERANCE_MS
  if (isMeant) return { instruction, automatic: mode === 'auto' }
  return MENTION_PLATFORMS.includes(platform) ? undefined : 'none'
}
