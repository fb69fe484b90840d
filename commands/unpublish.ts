import { Refusal } from '../domain/core/errors.ts'
import { isPlatformKey, PLATFORM_NAMES, type PlatformKey } from '../domain/core/platform.ts'
import { isOwed } from '../domain/post/follow-up.ts'
import { hasParts, isQueued, isSettled, type PostState } from '../domain/post/post.ts'
import type { PostEvent } from '../domain/post/post-events.ts'
import { followUpOf, unsupported } from './follow-up.ts'

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
    const before = followUpOf(target, 'unpublish')
    if (isPlatformKey(platform) && !canUnpublish(platform)) {
      if (before?.step === 'unsupported') return []
      const why = `${PLATFORM_NAMES[platform]} does not let apps delete posts.`
      return [unsupported('unpublish', why, key, parts[0]?.url)]
    }
    return isOwed(before) || before?.step === 'done' ? [] : [{ type: 'UnpublishRequested', data: key }]
  })
}
