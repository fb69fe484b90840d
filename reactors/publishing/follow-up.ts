import type { AccountState } from '../../domain/account/account.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import type { FollowUp } from '../../domain/post/follow-up.ts'
import type { TargetKey, TargetState } from '../../domain/post/post.ts'
import {
  deferFollowUp,
  followUpDone,
  followUpFailed,
  followUpOf,
  followUpState,
  followUpUnsupported,
  startFollowUp,
} from '../../commands/follow-up.ts'
import { Superseded } from '../../commands/superseded.ts'
import type { PlatformAccount, PlatformIo } from '../../platforms/kit/platform.ts'
import { Unsupported } from '../../platforms/kit/unsupported.ts'
import { noteStanding } from '../platform-calls/account-standing.ts'
import { answerOf } from '../platform-calls/platform-failure.ts'
import { CALL_TIMEOUT_MS, isFinal } from '../platform-calls/visible-call.ts'
import { DONE, park, type WorkResult } from '../runtime/reactor.ts'
import type { PublishDeps } from './publish.ts'
import type { PublishWork } from './publish-guard.ts'

type Connected = Exclude<AccountState, { status: 'absent' }>

export interface FollowUpWork extends PublishDeps {
  readonly what: FollowUp
  readonly key: TargetKey & { readonly platform: PlatformKey }
  /** Undefined: the account is disconnected. */
  readonly connected: Connected | undefined
  /** Of the agenda row. */
  readonly token: string
  readonly signal: AbortSignal
  readonly decide: PublishWork['decide']
  /** Asks the platform, in that many calls. */
  readonly calls: number
  call(account: PlatformAccount, io: PlatformIo, connected: Connected): Promise<void>
}

const AGAIN: Readonly<Record<FollowUp, string>> = { unpublish: 'unpublish the post', edit: 'edit the post' }

/**
 * Deletes a published post, or edits it. Either may be repeated without harm, so a call whose response was lost is repeated instead
 * of being looked for.
 */
export async function followUp(work: FollowUpWork, target: TargetState): Promise<WorkResult> {
  const { access, what, key, connected, signal, decide, policy, clock } = work
  const before = followUpOf(target, what)
  if (before?.step !== 'queued' && before?.step !== 'started') return DONE
  const notBefore = Date.parse((before.step === 'queued' ? before.notBefore : undefined) ?? connected?.restsUntil ?? '')
  if (notBefore > clock.now()) return park(notBefore)
  const started = followUpState(await decide(`${what}-start`, (post) => startFollowUp(post, what, key)), what, key)
  if (started?.step !== 'started') throw new Superseded()
  const attempt = { ...key, attempt: started.attempt }
  const fail = async (error: string): Promise<WorkResult> => {
    await decide(`${what}-failed`, (post) => followUpFailed(post, what, attempt, error))
    return DONE
  }
  if (!connected) return fail(`The account is disconnected. Connect it again, then ${AGAIN[what]} again.`)
  if (connected.needsReauth !== undefined) return fail(connected.needsReauth)

  const { externalId, baseUrl } = connected
  const account = { id: key.accountId, platform: key.platform, externalId, baseUrl }
  // It may need a permission of its own, so a refusal says nothing about publishing.
  const onFailure: Parameters<typeof answerOf>[0]['onFailure'] = (failure) =>
    noteStanding(work, account.id, failure, work.token)
  const answer = await answerOf({ ...work, job: { account }, onFailure }, () =>
    access.run(account, CALL_TIMEOUT_MS * work.calls, signal, (io) => work.call(account, io, connected)),
  )
  if (answer.ok) {
    await decide(`${what}-done`, (post) => followUpDone(post, what, attempt))
    return DONE
  }
  const { kind, message: error, retryAfterMs } = answer.failure
  if (answer.failure instanceof Unsupported) {
    await decide(`${what}-unsupported`, (post) => followUpUnsupported(post, what, attempt, error))
    return DONE
  }
  if (isFinal(kind)) return fail(error)
  await decide(`${what}-deferred`, (post) =>
    deferFollowUp(post, what, attempt, { error, retryAfterMs }, { policy, now: clock.now() }),
  )
  return DONE
}
