import { comment, commentStreamId, type CommentContent, type CommentState } from '../../domain/conversation/comment.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { asText } from '../../domain/core/text.ts'
import { receiveComment } from '../../commands/comment.ts'
import { handle, type CommandDeps } from '../../commands/handle.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { FetchedComment } from '../../platforms/kit/conversation.ts'
import type { PlatformAccount } from '../../platforms/kit/platform.ts'
import { knownComments } from '../../projections/models/comments.ts'
import type { Logger } from '../../infra/runtime/logger.ts'

/**
 * Records comments that are new, and those replied to since. Where the read model lags behind, the comment's own stream prevents
 * duplicates.
 *
 * @returns how many were new
 */
export async function receivePage(
  deps: CommandDeps & { readonly db: Database; readonly logger: Logger },
  account: PlatformAccount & { readonly workspaceId: string },
  page: readonly FetchedComment[],
): Promise<number> {
  const ids = new Map(page.map((fetched) => [fetched, commentStreamId(account.id, fetched.id)]))
  const known = await knownComments(deps.db, [...ids.values()])
  let received = 0
  for (const [fetched, id] of ids) {
    const isAnswered = known.get(id)
    if (isAnswered === true || (isAnswered === false && !fetched.replied)) continue
    const step = isAnswered === undefined ? 'received' : 'answered'
    const cause = {
      commandId: derivedId('comment', id, step),
      actor: { kind: 'reactor', id: 'fetch-comments' },
      correlationId: id,
    } as const
    try {
      const decide = (before: CommentState) => receiveComment(before, contentOf(account, fetched))
      const { state } = await handle(deps, comment, id, cause, decide)
      if (step === 'received' && state.status === 'received' && !state.isErased) received += 1
    } catch (error) {
      // A comment that cannot be recorded, e.g. with an id that is too long, must not block the others.
      if (!(error instanceof Refusal)) throw error
      deps.logger.warn({ account: account.id, reason: error.message }, 'a comment could not be saved')
    }
  }
  return received
}

function contentOf(
  { id: accountId, platform, workspaceId }: PlatformAccount & { readonly workspaceId: string },
  { id: commentId, kind, postId, author, authorId, text, createdAt, replied = false, references }: FetchedComment,
): CommentContent {
  return {
    ...{ workspaceId, platform, accountId, commentId, kind, createdAt, references, replied },
    ...(postId !== undefined && { postId }),
    author: asText(author, 200),
    ...(authorId !== undefined && { authorId }),
    text: asText(text, 10_000),
  }
}
