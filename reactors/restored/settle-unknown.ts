import { derivedId } from '../../domain/core/ids.ts'
import { isQueued, isSettled, post, type TargetKey } from '../../domain/post/post.ts'
import { isOpened, reply } from '../../domain/conversation/reply.ts'
import { handle, type Cause } from '../../commands/handle.ts'
import { targetState } from '../../commands/publish-attempt.ts'
import { firstCommentUnknown, postUnknown, replyUnknown } from '../../commands/restored.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { RestoredWork } from '../../infra/postgres/restores.ts'
import { unknownOutcome } from '../platform-calls/visible-call.ts'
import { makeUnknown } from './look-for-planned.ts'
import type { LookDeps } from './look-for-post.ts'
import { recycledPost, scheduledPost } from './planned-post.ts'

type Deps = LookDeps & { readonly db: Database }

const RESTORED = 'The log was restored from a backup that may not contain it.'

/**
 * Ends what could not be determined with an unknown outcome: it is sent only if its owner retries it. Idempotent.
 *
 * @param since when the log was restored, ms since the epoch
 */
export async function settleUnknown(
  deps: Deps,
  { kind, subject: id, platform = '', accountId = '', reason }: RestoredWork,
  since: number,
  signal: AbortSignal,
): Promise<void> {
  switch (kind) {
    case 'publish':
      return settlePost(deps, id, { platform, accountId }, reason)
    case 'send': {
      const error = unknownOutcome('reply', because(reason))
      const decide = (state: Parameters<typeof replyUnknown>[0]) =>
        isOpened(state) && state.status === 'sending' ? replyUnknown(state, error) : []
      await handle(deps, reply, id, causeOf(deps, id, ''), decide)
      return
    }
    case 'schedule':
    case 'recycle': {
      const planned = kind === 'schedule' ? await scheduledPost(deps, id) : await recycledPost(deps, id, since, signal)
      if (!planned || 'error' in planned) return
      for (const key of await makeUnknown(deps, planned, reason)) await settlePost(deps, planned.postId, key, reason)
    }
  }
}

async function settlePost(deps: Deps, id: string, key: TargetKey, reason: string): Promise<void> {
  const why = because(reason)
  await handle(deps, post, id, causeOf(deps, id, `${key.platform}/${key.accountId}`), (state) => {
    const target = targetState(state, key)
    if (!isQueued(state) || !target || isSettled(target)) return []
    return target.step === 'published'
      ? firstCommentUnknown(state, key, unknownOutcome('first comment', why))
      : postUnknown(state, key, unknownOutcome('post', why))
  })
}

function because(reason: string): string {
  return `${RESTORED} ${reason}`.trim()
}

function causeOf({ clock }: Deps, id: string, part: string): Cause {
  const commandId = derivedId('restored', 'unknown', id, part, String(clock.now()))
  return { commandId, actor: { kind: 'cli', id: 'restore release' }, correlationId: id }
}
