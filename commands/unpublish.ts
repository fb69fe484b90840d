import { Refusal } from '../domain/core/errors.ts'
import { isPlatformKey, PLATFORM_NAMES, type PlatformKey } from '../domain/core/platform.ts'
import {
  hasParts,
  isQueued,
  isSettled,
  targetId,
  type PostState,
  type TargetKey,
  type TargetState,
} from '../domain/post/post.ts'
import type { PostEvent } from '../domain/post/post-events.ts'
import type { UnpublishState } from '../domain/post/unpublish.ts'
import { nextAttemptAt, type AttemptPolicy } from './attempt-policy.ts'
import { targetState, type Attempt } from './publish-attempt.ts'
import { shortened } from './shortened.ts'
import { Superseded } from './superseded.ts'

/**
 * Requests that the post is deleted from the accounts on which it is published. Asking twice is harmless.
 *
 * @param accountIds default: all accounts on which it is published
 * @param canUnpublish whether the platform's API can delete posts
 * @throws Refusal invalid_request when an account is not one of the post's; failed_precondition while the post is still being
 *   published on one of them, or when it is not published there
 */
export function unpublishPost(
  state: PostState,
  accountIds: readonly string[] | undefined,
  canUnpublish: (platform: PlatformKey) => boolean,
): readonly PostEvent[] {
  if (!isQueued(state)) throw new Refusal('not_found', 'No such post.')
  const targets = [...state.targets.values()]
  for (const id of accountIds ?? []) {
    if (!targets.some(({ accountId }) => accountId === id))
      throw new Refusal('invalid_request', `accounts: this post was not queued for the account ${id}`)
  }
  const asked = accountIds ? targets.filter(({ accountId }) => accountIds.includes(accountId)) : targets
  const busy = asked.find((target) => !isSettled(target.state))
  if (busy) {
    throw new Refusal(
      'failed_precondition',
      `This post is still being published on the account ${busy.accountId}. Unpublish it once that account has a result.`,
    )
  }
  const other = accountIds ? asked.find((target) => !hasParts(target)) : undefined
  if (other) throw new Refusal('failed_precondition', `This post is not published on the account ${other.accountId}.`)
  const published = asked.filter(hasParts)
  if (published.length === 0) throw new Refusal('failed_precondition', 'This post is not published on any account.')
  return published.flatMap(({ platform, accountId, state: target, published: parts }): readonly PostEvent[] => {
    const key = { platform, accountId }
    const step = unpublishOf(target)?.step
    if (isPlatformKey(platform) && !canUnpublish(platform)) {
      if (step === 'unsupported') return []
      return unsupported(`${PLATFORM_NAMES[platform]} does not let apps delete posts.`, key, parts[0]?.url)
    }
    const isAsked = step === 'queued' || step === 'started' || step === 'unpublished'
    return isAsked ? [] : [{ type: 'UnpublishRequested', data: key }]
  })
}

/** @param why a sentence */
function unsupported(why: string, { platform, accountId }: TargetKey, url: string | undefined): readonly PostEvent[] {
  const yourself = `Delete it on ${isPlatformKey(platform) ? PLATFORM_NAMES[platform] : platform} yourself`
  const error = `${why} ${yourself}${url === undefined ? '.' : `: ${url}`}`
  return [{ type: 'UnpublishUnsupported', data: { platform, accountId, ...shortened({ error }) } }]
}

/** The intent: from here on the post may be gone. Repeating the deletion is harmless, so another worker may take over. */
export function startUnpublish(state: PostState, key: TargetKey): readonly PostEvent[] {
  const unpublish = unpublishState(state, key)
  if (unpublish?.step !== 'queued' && unpublish?.step !== 'started') throw new Superseded()
  return [{ type: 'UnpublishStarted', data: { ...key, attempt: unpublish.attempt + 1 } }]
}

export function accountUnpublished(state: PostState, attempt: Attempt): readonly PostEvent[] {
  mustBeStarted(state, attempt)
  return [{ type: 'AccountUnpublished', data: attempt }]
}

/** The platform cannot delete posts of this account. @param why a sentence */
export function unpublishUnsupported(state: PostState, attempt: Attempt, why: string): readonly PostEvent[] {
  mustBeStarted(state, attempt)
  const published = isQueued(state) ? state.targets.get(targetId(attempt))?.published : []
  return unsupported(why, attempt, published?.[0]?.url)
}

export function unpublishFailed(state: PostState, attempt: Attempt, error: string): readonly PostEvent[] {
  mustBeStarted(state, attempt)
  return [{ type: 'UnpublishFailed', data: { ...attempt, ...shortened({ error }) } }]
}

/** Backs off after a transient failure, or gives up when the policy's attempts are used up. */
export function deferUnpublish(
  state: PostState,
  attempt: Attempt,
  failure: { readonly error: string; readonly retryAfterMs?: number | undefined },
  policy: AttemptPolicy,
  now: number,
): readonly PostEvent[] {
  const { attempts } = mustBeStarted(state, attempt)
  const retryAt = nextAttemptAt(policy, attempts, now, failure.retryAfterMs)
  if (retryAt === undefined) return unpublishFailed(state, attempt, failure.error)
  return [{ type: 'UnpublishDeferred', data: { ...attempt, ...shortened({ error: failure.error }), retryAt } }]
}

export function unpublishState(state: PostState, key: TargetKey): UnpublishState | undefined {
  const target = targetState(state, key)
  return target && unpublishOf(target)
}

export function unpublishOf(target: TargetState): UnpublishState | undefined {
  return target.step === 'published' || target.step === 'failed' ? target.unpublish : undefined
}

function mustBeStarted(state: PostState, attempt: Attempt): Extract<UnpublishState, { step: 'started' }> {
  const unpublish = unpublishState(state, attempt)
  if (unpublish?.step !== 'started' || unpublish.attempt !== attempt.attempt) throw new Superseded()
  return unpublish
}
