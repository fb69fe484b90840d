import { Refusal } from '../domain/core/errors.ts'
import { isQueued, isSettled, type PostState, type TargetState } from '../domain/post/post.ts'
import { isOwed } from '../domain/post/follow-up.ts'
import { followUpOf } from './follow-up.ts'
import type { PostEvent } from '../domain/post/post-events.ts'

/**
 * Requeues the failed accounts of one platform (api-spec §4, Posts, rule 4).
 *
 * @throws Refusal invalid_request when the post never selected the platform; failed_precondition while it is still being
 *   published there or when none of its accounts failed
 */
export function retryPost(state: PostState, platform: string): readonly PostEvent[] {
  if (!isQueued(state)) throw new Refusal('not_found', 'No such post.')
  const targets = [...state.targets.values()].filter((target) => target.platform === platform)
  if (targets.length === 0 && !state.refusedPlatforms.includes(platform)) {
    throw new Refusal('invalid_request', `platform: this post was not queued for ${platform}`)
  }
  if (targets.some((target) => !isSettled(target.state))) {
    throw new Refusal('failed_precondition', `This post is still being published on ${platform}.`)
  }
  if (targets.some((target) => isOwed(followUpOf(target.state, 'unpublish')))) {
    throw new Refusal(
      'failed_precondition',
      `This post is being unpublished on ${platform}. Retry it once that is done.`,
    )
  }
  const failed = targets.filter(({ state: target }) => target.step === 'failed' && !isLeftInDoubt(target))
  if (failed.length === 0 && targets.some((target) => isLeftInDoubt(target.state))) {
    throw new Refusal(
      'failed_precondition',
      `The parts that are known were unpublished on ${platform}, but another one may be there. Delete it there, and duplicate the post.`,
    )
  }
  if (failed.length === 0) {
    throw new Refusal('failed_precondition', `This post has not failed on any account on ${platform}.`)
  }
  return [{ type: 'RetryRequested', data: { platform, accountIds: failed.map((target) => target.accountId) } }]
}

/** Whether the parts of a chain before one with an unknown outcome were deleted: what was submitted continues none that is there. */
function isLeftInDoubt(target: TargetState): boolean {
  return target.step === 'failed' && target.submission !== undefined && target.unpublish?.step === 'done'
}
