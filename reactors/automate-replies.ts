import { account } from '../domain/account.ts'
import { comment, type CommentContent } from '../domain/comment.ts'
import { eventOf, parseStreamName, type RecordedEvent } from '../domain/event.ts'
import { derivedId, derivedUlid } from '../domain/ids.ts'
import { MENTION_PLATFORMS } from '../domain/platform.ts'
import { reply } from '../domain/reply.ts'
import { handle, load, type CommandDeps } from '../commands/handle.ts'
import { openReply, type ReplyWish } from '../commands/reply.ts'
import type { Database } from '../database/pool.ts'
import { isOurs } from '../projections/replies.ts'
import { resourceId } from '../system/ids.ts'
import type { Interest } from './follower-checkpoint.ts'
import type { Handler } from './follower.ts'

interface Received {
  readonly recorded: RecordedEvent
  readonly content: CommentContent
}

export const AUTOMATE_REPLIES: Interest<Received> = {
  name: 'automate-replies',
  categories: [comment.category],
  select: (recorded) => {
    const event = eventOf(comment, recorded)
    return event?.type === 'CommentReceived' ? { recorded, content: event.data } : undefined
  },
}

/** A platform's clock may be behind ours by as much (ms). */
const CLOCK_TOLERANCE_MS = 5 * 60_000

/**
 * Begins a reply to each comment as its account's automation wants it, by an id that follows from the comment: whoever does
 * it again begins none twice. What this service has written itself is never answered.
 */
export function automateReplies(deps: CommandDeps & { readonly db: Database }): Handler<Received> {
  return async (selected, signal) => {
    for (const { recorded, content } of selected) {
      if (signal.aborted) return
      if (content.replied || (await isOurs(deps.db, content))) continue
      const wish = await wishFor(deps, content)
      if (wish === 'none') continue
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
      await handle(deps, reply, id, cause, (state) => openReply(state, opened, wish))
    }
  }
}

/**
 * What was written before the automation was switched on is left alone. Mentions where there are no comments come into the review
 * inbox in any case, without a draft when none is wanted.
 */
async function wishFor(
  { log }: CommandDeps,
  { accountId, platform, createdAt }: CommentContent,
): Promise<ReplyWish | 'none'> {
  const state = await load(log, account, accountId)
  if (state.status !== 'connected') return 'none'
  const { mode, instruction, since = '' } = state.automation
  const isMeant = mode !== 'off' && Date.parse(createdAt) >= Date.parse(since) - CLOCK_TOLERANCE_MS
  if (isMeant) return { instruction, automatic: mode === 'auto' }
  return MENTION_PLATFORMS.includes(platform) ? undefined : 'none'
}
