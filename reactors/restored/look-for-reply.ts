import { account } from '../../domain/account/account.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { isOpened, reply } from '../../domain/conversation/reply.ts'
import { handle, load } from '../../commands/handle.ts'
import { replyFound } from '../../commands/restored.ts'
import type { Look, DueRow } from '../../infra/postgres/restores.ts'
import { answerOf } from '../platform-calls/platform-failure.ts'
import { replyJob } from '../conversations/send-reply.ts'
import { CALL_TIMEOUT_MS } from '../platform-calls/visible-call.ts'
import { isConnected, lookAfter, type LookDeps } from './look-for-post.ts'
import type { Examined } from './look.ts'

/** Looks for an approved reply. */
export async function lookForReply(
  deps: LookDeps,
  { subject: id }: DueRow,
  since: number,
  signal: AbortSignal,
): Promise<Examined | undefined> {
  const state = await load(deps.log, reply, id)
  if (!isOpened(state) || state.status !== 'sending' || !state.sending) return undefined
  const { workspaceId, platform, accountId, sending } = state
  const about = { workspaceId, platform, accountId, text: sending.text, dueAt: sending.approvedAt }
  const examined = (look: Look) => ({ about, look })
  if (Date.parse(sending.askedAgainAt ?? sending.approvedAt) > since) return examined({ outcome: 'new' })
  const connected = await load(deps.log, account, accountId)
  if (!isConnected(connected, platform, workspaceId)) {
    return examined({ outcome: 'absent', reason: 'The account is disconnected, so the reply is marked as failed.' })
  }
  const { conversation } = deps.access.platform(platform)
  if (!conversation?.find) return examined({ outcome: 'unknown', reason: 'The platform offers no way to look it up.' })
  const { externalId, baseUrl } = connected
  const job = replyJob(id, state, sending, {
    ...{ id: accountId, platform, externalId },
    ...(baseUrl === undefined ? {} : { baseUrl }),
  })
  const asked = { ...deps, job, signal, onFailure: async () => undefined }
  const search = await answerOf(asked, () =>
    deps.access.run(job.account, CALL_TIMEOUT_MS, signal, async (io) => {
      const found = await conversation.find?.(job, io)
      return found ?? ({ outcome: 'unknown' } as const)
    }),
  )
  if (!search.ok) return examined(lookAfter(deps, search.failure))
  const { value } = search
  if (value.outcome === 'found') {
    const commandId = derivedId('restored', id, String(deps.clock.now()))
    const cause = { commandId, actor: { kind: 'reactor', id: 'restored' }, correlationId: id } as const
    await handle(deps, reply, id, cause, (now) => replyFound(now, value.found))
  }
  if (value.outcome !== 'unknown') return examined({ outcome: value.outcome })
  return examined({ outcome: 'unknown', reason: 'The platform cannot confirm whether it was published.' })
}
