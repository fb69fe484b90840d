import { account } from '../../domain/account/account.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { isPlatformKey } from '../../domain/core/platform.ts'
import {
  isQueued,
  isSettled,
  post,
  targetId,
  type QueuedPost,
  type TargetKey,
  type TargetState,
} from '../../domain/post/post.ts'
import { followUpOf } from '../../commands/follow-up.ts'
import { isOwed } from '../../domain/post/follow-up.ts'
import type { PostEvent } from '../../domain/post/post-events.ts'
import { handle, load } from '../../commands/handle.ts'
import { firstCommentFound, postFound } from '../../commands/restored.ts'
import type { Look, DueRow } from '../../infra/postgres/restores.ts'
import { answerOf } from '../platform-calls/platform-failure.ts'
import { commentIn } from '../publishing/first-comment.ts'
import { commentOf, partOf, publishJob } from '../publishing/publish-job.ts'
import { targetKey } from '../publishing/publish.ts'
import { CALL_TIMEOUT_MS } from '../platform-calls/visible-call.ts'
import { isConnected, lookAfter, lookForPost, type LookDeps, type PostLook } from './look-for-post.ts'
import type { Examined } from './look.ts'

const DELETED_AGAIN = 'The post is being unpublished; if it is gone already, nothing happens.'
const EDITED_AGAIN = 'The post is being edited; if it has the new text already, nothing changes.'

/** Looks for what is pending for one account of a post: the post itself, or its first comment. */
export async function lookForPublish(
  deps: LookDeps,
  row: DueRow,
  since: number,
  signal: AbortSignal,
): Promise<Examined | undefined> {
  const key = targetKey(row.part)
  const state = await load(deps.log, post, row.subject)
  const known = isQueued(state) ? state.targets.get(targetId(key)) : undefined
  const target = known?.state
  const isBeingDeleted = target !== undefined && isOwed(followUpOf(target, 'unpublish'))
  const isBeingEdited = target !== undefined && isOwed(followUpOf(target, 'edit'))
  if (!isQueued(state) || !known || !target) return undefined
  if (isSettled(target) && !isBeingDeleted && !isBeingEdited) return undefined
  const { workspaceId } = state
  // A planned post is queued only after the restore, so an earlier noted time is the original one. A failed look may have noted a
  // later one, of the next attempt.
  const dueAt = row.noted && row.noted.dueAt < state.queuedAt ? row.noted.dueAt : state.queuedAt
  const { published } = known
  const about = { workspaceId, ...key, text: partOf(state, key.platform, published.length).text, dueAt }
  if (Date.parse(state.queuedAt) > since && !row.noted) return { about, look: { outcome: 'new' } }
  if (isBeingDeleted) return { about, look: { outcome: 'absent', reason: DELETED_AGAIN } }
  if (isBeingEdited) return { about, look: { outcome: 'absent', reason: EDITED_AGAIN } }
  if (target.step === 'published') {
    return { about, look: await lookForFirstComment(deps, row, { ...state, queuedAt: dueAt }, key, target, signal) }
  }
  const submission = target.step === 'submitted' ? { submission: target.submission } : {}
  const content = { ...state, queuedAt: dueAt }
  const postId = row.subject
  const sought = { postId, workspaceId, ...key, content, published, ...submission, token: tokenOf(deps, row) }
  let look = await lookForPost(deps, sought, signal)
  const found = [...published]
  while ('found' in look) {
    await settleFound(deps, postId, key, look)
    found.push(look.found)
    // Later parts of a chain may be published, too.
    if (found.length > (state.chain ?? []).length) break
    look = await lookForPost(deps, { ...sought, submission: undefined, published: found }, signal)
  }
  return { about, look }
}

/** Records a post that was found on the platform. */
export async function settleFound(
  deps: LookDeps,
  postId: string,
  key: TargetKey,
  { found }: Extract<PostLook, { found: unknown }>,
): Promise<void> {
  if (!isPlatformKey(key.platform)) return
  const platform = deps.access.platform(key.platform)
  // Parts of a chain may be found at the same moment.
  await settle(deps, postId, key, `found ${found.postId}`, (state) =>
    postFound(state, key, found, isQueued(state) && commentOf(state, platform, key) !== undefined),
  )
}

/** Runs one decision about one account of a post. */
export async function settle(
  deps: LookDeps,
  postId: string,
  key: TargetKey,
  step: string,
  decision: (state: Parameters<typeof postFound>[0]) => readonly PostEvent[],
): Promise<void> {
  const commandId = derivedId('restored', postId, key.platform, key.accountId, step, String(deps.clock.now()))
  const cause = { commandId, actor: { kind: 'reactor', id: 'restored' }, correlationId: postId } as const
  await handle(deps, post, postId, cause, decision)
}

async function lookForFirstComment(
  deps: LookDeps,
  row: DueRow,
  state: QueuedPost,
  key: TargetKey,
  target: Extract<TargetState, { step: 'published' }>,
  signal: AbortSignal,
): Promise<Look> {
  const connected = await load(deps.log, account, key.accountId)
  if (!isPlatformKey(key.platform) || !isConnected(connected, key.platform, state.workspaceId)) {
    return { outcome: 'absent', reason: 'The account is disconnected, so the first comment is marked as failed.' }
  }
  const platform = deps.access.platform(key.platform)
  const { firstComment } = platform
  if (!firstComment) return { outcome: 'absent' }
  const job = publishJob(row.subject, { id: key.accountId, ...connected }, state, platform)
  const comment = commentIn(job)
  const asked = { ...deps, job, signal, onFailure: async () => undefined }
  const search = await answerOf(asked, () =>
    deps.access.run(job.account, CALL_TIMEOUT_MS, signal, (io) => firstComment.find(job, target, comment, io)),
  )
  if (!search.ok) return lookAfter(deps, search.failure)
  const { value } = search
  if (value.outcome === 'found') {
    await settle(deps, row.subject, key, 'first-comment', (post) => firstCommentFound(post, key, value.found))
  }
  const { outcome } = value
  return outcome === 'unknown'
    ? { outcome, reason: 'The platform cannot confirm whether it was published.' }
    : { outcome }
}

export function tokenOf({ clock }: LookDeps, { id }: DueRow): string {
  return derivedId('restored', id, String(clock.now()))
}
