import type { AccountState } from '../../domain/account/account.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import type { TargetKey, TargetState } from '../../domain/post/post.ts'
import type { PublishedPart } from '../../domain/post/publish-result.ts'
import {
  accountUnpublished,
  deferUnpublish,
  startUnpublish,
  unpublishFailed,
  unpublishOf,
  unpublishState,
  unpublishUnsupported,
} from '../../commands/unpublish.ts'
import { Superseded } from '../../commands/superseded.ts'
import { Unsupported } from '../../platforms/kit/unsupported.ts'
import { noteStanding } from '../platform-calls/account-standing.ts'
import { answerOf } from '../platform-calls/platform-failure.ts'
import { CALL_TIMEOUT_MS, isFinal } from '../platform-calls/visible-call.ts'
import { DONE, park, type WorkResult } from '../runtime/reactor.ts'
import type { PublishDeps } from './publish.ts'
import type { PublishWork } from './publish-guard.ts'

interface UnpublishWork extends PublishDeps {
  readonly key: TargetKey & { readonly platform: PlatformKey }
  /** Undefined: the account is disconnected. */
  readonly connected: Exclude<AccountState, { status: 'absent' }> | undefined
  /** Of the agenda row. */
  readonly token: string
  readonly signal: AbortSignal
  readonly decide: PublishWork['decide']
}

/**
 * Deletes a published post. Connectors treat a post that is gone as deleted, so a call whose response was lost is repeated
 * instead of being looked for.
 */
export async function unpublish(
  work: UnpublishWork,
  target: TargetState,
  published: readonly PublishedPart[],
): Promise<WorkResult> {
  const { access, key, connected, signal, decide, policy, clock } = work
  const before = unpublishOf(target)
  if (before?.step !== 'queued' && before?.step !== 'started') return DONE
  const notBefore = Date.parse((before.step === 'queued' ? before.notBefore : undefined) ?? connected?.restsUntil ?? '')
  if (notBefore > clock.now()) return park(notBefore)
  const started = unpublishState(await decide('unpublish-start', (post) => startUnpublish(post, key)), key)
  if (started?.step !== 'started') throw new Superseded()
  const attempt = { ...key, attempt: started.attempt }
  const fail = async (error: string): Promise<WorkResult> => {
    await decide('unpublish-failed', (post) => unpublishFailed(post, attempt, error))
    return DONE
  }
  if (!connected) return fail('The account is disconnected. Connect it again, then unpublish the post again.')
  if (connected.needsReauth !== undefined) return fail(connected.needsReauth)

  const firstComment = target.step === 'published' ? target.firstComment : undefined
  const comment = firstComment?.step === 'posted' ? firstComment.postId : undefined
  const parts = [...published, ...(comment === undefined ? [] : [{ postId: comment }])]
  const { externalId, baseUrl } = connected
  const account = { id: key.accountId, platform: key.platform, externalId, baseUrl }
  // Deleting may need a permission of its own, so a refusal says nothing about publishing.
  const onFailure: Parameters<typeof answerOf>[0]['onFailure'] = (failure) =>
    noteStanding(work, account.id, failure, work.token)
  const answer = await answerOf({ ...work, job: { account }, onFailure }, () =>
    access.run(account, CALL_TIMEOUT_MS * parts.length, signal, async (io) => {
      // The last part first, so that no reply outlives what it replies to.
      for (const part of parts.toReversed()) await access.platform(key.platform).unpublish?.(account, part, io)
    }),
  )
  if (answer.ok) {
    await decide('unpublished', (post) => accountUnpublished(post, attempt))
    return DONE
  }
  const { kind, message: error, retryAfterMs } = answer.failure
  if (answer.failure instanceof Unsupported) {
    await decide('unpublish-unsupported', (post) => unpublishUnsupported(post, attempt, error))
    return DONE
  }
  if (isFinal(kind)) return fail(error)
  await decide('unpublish-deferred', (post) =>
    deferUnpublish(post, attempt, { error, retryAfterMs }, policy, clock.now()),
  )
  return DONE
}
