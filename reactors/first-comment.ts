import { derivedId } from '../domain/ids.ts'
import type { FirstCommentState, TargetState } from '../domain/post.ts'
import {
  deferFirstComment,
  firstCommentFailed,
  firstCommentPosted,
  firstCommentState,
  startFirstComment,
} from '../commands/first-comment.ts'
import type { Attempt } from '../commands/publish-attempt.ts'
import type { FirstComment } from '../platforms/platform.ts'
import { answerOf } from './platform-failure.ts'
import { CALL_TIMEOUT_MS, LOOK_AGAIN_MS, LOOK_FOR_MS, type PublishWork } from './publish-guard.ts'
import { DONE, park, type WorkResult } from './reactor.ts'

type PublishedTarget = Extract<TargetState, { step: 'published' }>
type Started = Extract<FirstCommentState, { step: 'started' }>

/** The first comment under a post that is out, by the same guard. Its failure does not fail the post. */
export async function firstComment(work: PublishWork, text: string, target: PublishedTarget): Promise<WorkResult> {
  const comment = target.firstComment
  const connector = work.platform.firstComment
  if (!comment || !connector || comment.step === 'posted' || comment.step === 'failed') return DONE
  if (comment.step === 'started') return reconcileComment(work, connector, text, target, comment)

  const state = await work.decide('comment-start', (post) => startFirstComment(post, work.key))
  const started = firstCommentState(state, work.key)
  if (started?.step !== 'started') return DONE
  const attempt = { ...work.key, attempt: started.attempt }
  const { access, clock, job, signal } = work
  const left = Date.parse(started.at) + CALL_TIMEOUT_MS - clock.now()
  if (left <= 0) return park(conclusiveAt(work, started))
  const answer = await answerOf(work, () =>
    access.run(job.account, left, signal, (io) => connector.post(job, target, named(work, text), io)),
  )
  if (answer.ok) return posted(work, attempt)
  const { kind, message, retryAfterMs } = answer.failure
  if (kind === 'retryable') return deferred(work, attempt, message, retryAfterMs)
  return kind === 'ambiguous' ? park(conclusiveAt(work, started)) : failed(work, attempt, message)
}

async function reconcileComment(
  work: PublishWork,
  connector: FirstComment,
  text: string,
  target: PublishedTarget,
  started: Started,
): Promise<WorkResult> {
  const { access, clock, job, signal } = work
  const attempt = { ...work.key, attempt: started.attempt }
  if (clock.now() < conclusiveAt(work, started)) return park(conclusiveAt(work, started))
  const search = await answerOf(work, () =>
    access.run(job.account, CALL_TIMEOUT_MS, signal, (io) => connector.find(job, target, named(work, text), io)),
  )
  if (!search.ok) {
    const { kind, message } = search.failure
    const passing = kind === 'retryable' || kind === 'ambiguous'
    if (passing && clock.now() < Date.parse(started.at) + LOOK_FOR_MS) return park(clock.now() + LOOK_AGAIN_MS)
    return failed(work, attempt, `The outcome of the first comment is unknown. ${message}`)
  }
  switch (search.value.outcome) {
    case 'found':
      return posted(work, attempt)
    case 'absent':
      return deferred(work, attempt, 'The answer was lost; the comment is not there.')
    case 'unknown':
      return failed(work, attempt, 'The outcome of the first comment is unknown.')
  }
}

function conclusiveAt({ platform }: PublishWork, started: Started): number {
  return Date.parse(started.at) + CALL_TIMEOUT_MS + platform.visibleWithinMs
}

function named({ job }: PublishWork, text: string): { key: string; text: string } {
  return { key: derivedId('first-comment', job.key), text }
}

async function posted({ decide }: PublishWork, attempt: Attempt): Promise<WorkResult> {
  await decide('comment-posted', (post) => firstCommentPosted(post, attempt))
  return DONE
}

async function failed({ decide }: PublishWork, attempt: Attempt, error: string): Promise<WorkResult> {
  await decide('comment-failed', (post) => firstCommentFailed(post, attempt, error))
  return DONE
}

async function deferred(
  { decide, policy, clock }: PublishWork,
  attempt: Attempt,
  error: string,
  retryAfterMs?: number,
): Promise<WorkResult> {
  await decide('comment-deferred', (post) =>
    deferFirstComment(post, attempt, { error, retryAfterMs }, policy, clock.now()),
  )
  return DONE
}
