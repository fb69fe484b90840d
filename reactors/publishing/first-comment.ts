import { derivedId } from '../../domain/core/ids.ts'
import type { Handle, TargetState } from '../../domain/post/post.ts'
import type { PublishedPart } from '../../domain/post/publish-result.ts'
import {
  deferFirstComment,
  firstCommentFailed,
  firstCommentPosted,
  firstCommentProgressed,
  firstCommentState,
  startFirstComment,
} from '../../commands/first-comment.ts'
import type { FirstComment, OwnComment } from '../../platforms/kit/first-comment.ts'
import type { PlatformError, PublishJob } from '../../platforms/kit/platform.ts'
import type { PublishWork } from './publish-guard.ts'
import { DONE, park, type WorkResult } from '../runtime/reactor.ts'
import { makeCall, prepareCall, settleCall, type VisibleCall } from '../platform-calls/visible-call.ts'

type PublishedTarget = Extract<TargetState, { step: 'published' }>

/** Posts the first comment under a published post, behind the same guard. Its failure does not fail the post. */
export async function firstComment(work: PublishWork, target: PublishedTarget): Promise<WorkResult> {
  const { decide, key, policy, clock } = work
  const before = target.firstComment
  const connector = work.platform.firstComment
  if (!before || !connector || before.step === 'posted' || before.step === 'failed') return DONE
  const asComment = { ...work, onFailure: (failure: PlatformError) => work.onFailure(failure, 'replies') }
  const earlier = before.step === 'queued' ? before.handle : undefined
  const prepared = before.step === 'queued' ? await prepare(asComment, connector, target, earlier) : undefined
  if (prepared?.ok && prepared.value.outcome === 'processing') {
    const { handle, lookAgainMs } = prepared.value
    const lookAt = clock.now() + lookAgainMs
    if (JSON.stringify(handle) === JSON.stringify(earlier)) return park(lookAt)
    await decide('comment-progressed', (post) => firstCommentProgressed(post, key, handle, lookAt))
    return DONE
  }
  const started =
    before.step === 'started'
      ? before
      : firstCommentState(await decide('comment-start', (post) => startFirstComment(post, key)), key)
  if (started?.step !== 'started') return DONE

  const attempt = { ...key, attempt: started.attempt }
  const call = callOf(work, connector, target, started.at)
  const outcome = await (prepared ? makeCall(asComment, call, prepared) : settleCall(asComment, call))
  switch (outcome.kind) {
    case 'wait':
      return park(outcome.until)
    case 'lost':
      return park(outcome.lookAt)
    case 'done':
      await decide('comment-posted', (post) =>
        firstCommentPosted(post, attempt, outcome.done, commentIn(work.job).text),
      )
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

function prepare(
  work: PublishWork,
  { prepare }: FirstComment,
  published: PublishedTarget,
  earlier: Handle | undefined,
): ReturnType<typeof prepareCall> {
  const { job } = work
  return prepareCall(work, job.account, prepare && ((io) => prepare(job, published, commentIn(job), io, earlier)))
}

function callOf(
  { job }: PublishWork,
  connector: FirstComment,
  published: PublishedTarget,
  startedAt: string,
): VisibleCall<PublishedPart | undefined> {
  const { proof, visibleWithinMs } = connector
  const comment = commentIn(job)
  return {
    ...{ what: 'first comment', account: job.account, startedAt },
    ...{ proof, visibleWithinMs },
    make: (io, handle) => connector.post(job, published, comment, io, handle),
    find: (io) => connector.find(job, published, comment, io),
  }
}

/** The first comment of a job. */
export function commentIn({ key, firstComment: text = '' }: PublishJob): OwnComment {
  return { key: derivedId('first-comment', key), text }
}
