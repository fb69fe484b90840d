import { derivedId } from '../../domain/core/ids.ts'
import type { TargetState } from '../../domain/post/post.ts'
import {
  deferFirstComment,
  firstCommentFailed,
  firstCommentPosted,
  firstCommentState,
  startFirstComment,
} from '../../commands/first-comment.ts'
import type { FirstComment, PlatformError } from '../../platforms/kit/platform.ts'
import type { PublishWork } from './publish-guard.ts'
import { DONE, park, type WorkResult } from '../runtime/reactor.ts'
import { makeCall, settleCall, type VisibleCall } from '../platform-calls/visible-call.ts'

type PublishedTarget = Extract<TargetState, { step: 'published' }>

/** Posts the first comment under a published post, behind the same guard. Its failure does not fail the post. */
export async function firstComment(work: PublishWork, text: string, target: PublishedTarget): Promise<WorkResult> {
  const { decide, key, policy, clock } = work
  const before = target.firstComment
  const connector = work.platform.firstComment
  if (!before || !connector || before.step === 'posted' || before.step === 'failed') return DONE
  const isBegun = before.step === 'started'
  const started = isBegun
    ? before
    : firstCommentState(await decide('comment-start', (post) => startFirstComment(post, key)), key)
  if (started?.step !== 'started') return DONE

  const attempt = { ...key, attempt: started.attempt }
  const asComment = { ...work, onFailure: (failure: PlatformError) => work.onFailure(failure, 'replies') }
  const outcome = await (isBegun ? settleCall : makeCall)(asComment, callOf(work, connector, text, target, started.at))
  switch (outcome.kind) {
    case 'wait':
      return park(outcome.until)
    case 'lost':
      return park(outcome.lookAt)
    case 'done':
      await decide('comment-posted', (post) => firstCommentPosted(post, attempt))
      await work.onSuccess('replies')
      return DONE
    case 'deferred':
      await decide('comment-deferred', (post) => deferFirstComment(post, attempt, outcome, policy, clock.now()))
      return DONE
    case 'failed':
      await decide('comment-failed', (post) => firstCommentFailed(post, attempt, outcome.error))
      return DONE
  }
}

function callOf(
  { job, platform }: PublishWork,
  connector: FirstComment,
  text: string,
  published: PublishedTarget,
  startedAt: string,
): VisibleCall<undefined | void> {
  const comment = { key: derivedId('first-comment', job.key), text }
  return {
    ...{ what: 'first comment', account: job.account, startedAt },
    ...{ proof: 'searchable', visibleWithinMs: platform.visibleWithinMs },
    make: (io) => connector.post(job, published, comment, io),
    find: (io) => connector.find(job, published, comment, io),
  }
}
