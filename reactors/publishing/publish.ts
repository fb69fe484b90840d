import { account } from '../../domain/account/account.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { isPlatformKey, type PlatformKey } from '../../domain/core/platform.ts'
import { mediaOf, shown } from '../../domain/post/post-media.ts'
import {
  isQueued,
  isSettled,
  post,
  targetId,
  type PostState,
  type TargetKey,
  type TargetState,
} from '../../domain/post/post.ts'
import { handle, load, loaded, type CommandDeps, type Loaded } from '../../commands/handle.ts'
import type { AttemptPolicy } from '../../commands/attempt-policy.ts'
import { firstCommentFailed, firstCommentState, startFirstComment } from '../../commands/first-comment.ts'
import { accountFailed, startPublish } from '../../commands/publish-attempt.ts'
import { noAccountError } from '../../commands/queue-post.ts'
import { Superseded } from '../../commands/superseded.ts'
import { mediaFor, type SpooledMedia } from '../../infra/media/media.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { noteLimit, noteStanding, noteSuccess } from '../platform-calls/account-standing.ts'
import type { LookAlikePosts } from './look-alike-posts.ts'
import type { WorkerSlot } from '../runtime/worker-slots.ts'
import { firstComment } from './first-comment.ts'
import { brokenChainRules } from '../../platforms/kit/chain-rules.ts'
import type { PlatformIo } from '../../platforms/kit/platform.ts'
import type { Relay } from '../../platforms/kit/relay.ts'
import { pausedUntil } from '../platform-calls/pauses.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'
import { attemptOf, attemptPublish, type Decision, type PublishWork } from './publish-guard.ts'
import { laterParts, publishJob } from './publish-job.ts'
import { reconcile } from './reconcile-publish.ts'
import { DONE, park, type Reactor, type WorkResult } from '../runtime/reactor.ts'
import { followUpOf } from '../../commands/follow-up.ts'
import { isOwed } from '../../domain/post/follow-up.ts'
import { editing } from './edit.ts'
import { followUp } from './follow-up.ts'
import { unpublishing } from './unpublish.ts'
import { unknownOutcome } from '../platform-calls/visible-call.ts'

export interface PublishDeps extends CommandDeps {
  readonly access: PlatformAccess
  readonly logger: Logger
  readonly policy: AttemptPolicy
  readonly alike: LookAlikePosts
  readonly relay: Relay
  /** Called for each account on which the post is now published. */
  readonly onPublished?: (publication: Publication) => void
}

export interface Publication {
  readonly platform: PlatformKey
  /** Time since the post was due, i.e. the time it was scheduled for or requested. */
  readonly lateMs: number
  /** Whether it was found by reconciling, after its response was lost. */
  readonly reconciled: boolean
}

/** Advances one account of one post, from whichever step it was left at. */
export function publishReactor(deps: PublishDeps): Reactor {
  return async (row, signal, slot) => {
    const key = targetKey(row.part)
    const [loadedPost, named] = await Promise.all([
      loaded(deps.log, post, row.subject),
      load(deps.log, account, key.accountId),
    ])
    const { state } = loadedPost
    const known = isQueued(state) ? state.targets.get(targetId(key)) : undefined
    if (!isQueued(state) || !known || !isPlatformKey(key.platform)) return DONE
    const { state: target, published } = known

    // Beside other accounts, an append at the revision read last would nearly always conflict.
    const isAlone = [...state.targets].every(([id, other]) => id === targetId(key) || isSettled(other.state))
    let newest: Loaded<PostState> = loadedPost
    const decide = async (step: string, decision: Decision): Promise<PostState> => {
      const cause = {
        commandId: derivedId(row.token, step),
        actor: { kind: 'reactor', id: 'publish' },
        correlationId: row.subject,
      } as const
      newest = await handle(deps, post, row.subject, cause, decision, isAlone ? { known: newest } : {})
      return newest.state
    }

    try {
      // Treat another workspace's account as nonexistent.
      const isOwn = named.status === 'connected' && named.workspaceId === state.workspaceId
      const connected = isOwn && named.platform === key.platform ? named : undefined
      const asked = { ...deps, key: { ...key, platform: key.platform }, connected, token: row.token, signal, decide }
      // Asked for after any deletion that failed, and given up by the next one.
      if (isOwed(followUpOf(target, 'edit'))) {
        return await followUp({ ...asked, ...editing(asked, { ...state, id: row.subject }, known) }, target)
      }
      if (followUpOf(target, 'unpublish')) return await followUp({ ...asked, ...unpublishing(asked, known) }, target)
      if (!connected) return await settleWithoutAccount(key, target, decide)
      const { externalId } = connected
      const platform = deps.access.platform(key.platform)
      const { publicMedia } = deps.access
      const whole = publishJob(row.subject, { id: key.accountId, ...connected }, state, platform, published)
      const job = { ...whole, ...shown(await publicMedia.atPresent(mediaOf(whole), state.pinned, platform, connected)) }
      const { text, mediaType } = job
      const onAccount = { postId: row.subject, platform, externalId, text, mediaType }
      const isRepeated = attemptsOf(target) > 0
      const use = { accountId: key.accountId, platform, by: 'publish', work: row.token, isRepeated }
      const work: PublishWork = {
        ...deps,
        access: fetchingFor(deps, { workspaceId: state.workspaceId, work: row.token }, slot),
        key,
        dueAt: state.dueAt,
        platform,
        job,
        others: ({ at: submittedAt }) => deps.alike.others({ ...onAccount, queuedAt: state.queuedAt, submittedAt }),
        lostAlikeUntil: () => deps.alike.lostUntil(onAccount),
        signal,
        onFailure: async (failure, capability = 'publishing') => {
          await noteStanding(deps, key.accountId, failure, row.token)
          await noteLimit(deps, { ...use, capability }, failure)
        },
        onSuccess: (capability = 'publishing') => noteSuccess(deps, { ...use, capability }, connected.limits),
        decide,
      }
      const rested = notBefore(target)
      if (rested !== undefined && rested > deps.clock.now()) return park(rested)
      if (target.step === 'queued' || target.step === 'preparing') {
        const { needsReauth, restsUntil } = connected
        if (needsReauth !== undefined) return await failWithoutAsking(key, 'needs_reauth', needsReauth, decide)
        if (restsUntil !== undefined && Date.parse(restsUntil) > deps.clock.now()) return park(Date.parse(restsUntil))
        const paused = await pausedUntil(deps, connected, 'writing', { ...use, capability: 'publishing' })
        if (paused !== undefined) return park(paused)
        // Once a part is published, the others should not be missing.
        const ahead = published.length === 0 ? laterParts(state, key.platform) : []
        const media = [...mediaOf(whole), ...ahead.flatMap(mediaOf)]
        const outOfReach = await publicMedia.whyOutOfReach(platform, connected, media)
        const broken = brokenChainRules(platform, ahead, whole.options)
        const problem = [...(outOfReach === undefined ? [] : [outOfReach]), ...broken].join(' ')
        if (problem !== '') return await failWithoutAsking(key, 'permanent', problem, decide)
      }
      switch (target.step) {
        case 'queued':
        case 'preparing':
          return await attemptPublish(work, target)
        case 'submitted':
          return await reconcile(work, target)
        case 'published':
          return await firstComment(work, target)
        case 'failed':
          return DONE
      }
    } catch (error) {
      // Another worker owns or has finished the attempt: nothing left to do.
      if (error instanceof Superseded) return DONE
      throw error
    }
  }
}

/** Counts media against its workspace's share of the disk, and frees the worker slot while a fetch waits for a slow host. */
function fetchingFor(
  { access, relay }: Pick<PublishDeps, 'access' | 'relay'>,
  of: Parameters<Relay>[0],
  slot: WorkerSlot | undefined,
): PlatformAccess {
  const { publicMedia } = access
  const relayed = async (url: string, media: SpooledMedia, signal: AbortSignal): Promise<string> =>
    media.isChanged || (await publicMedia.mustRelay(url))
      ? publicMedia.urlFor(await relay({ ...of, work: `${of.work} ${url}` }, media, signal))
      : url
  return {
    ...access,
    run: (account, timeoutMs, signal, work, use) => {
      const fetching = (bare: PlatformIo) => {
        const media = mediaFor(bare.media, of.workspaceId)
        const relay = (url: string, spooled: SpooledMedia) => relayed(url, spooled, bare.signal)
        const io: PlatformIo = { ...bare, media, ...(publicMedia.isReachedBy(account) && { relay }) }
        if (!slot) return work(io)
        return work({ ...io, media: { ...media, spool: (...asked) => slot.apart(() => media.spool(...asked)) } })
      }
      return access.run(account, timeoutMs, signal, fetching, use)
    },
  }
}

/** Until when (ms since the epoch) to wait after a failure. The agenda agrees, unless it lags behind the log. */
function notBefore(target: TargetState): number | undefined {
  const waiting = target.step === 'published' ? target.firstComment : target
  const until = waiting?.step === 'queued' ? waiting.notBefore : undefined
  return until === undefined ? undefined : Date.parse(until)
}

function attemptsOf(target: TargetState): number {
  return 'attempts' in target ? target.attempts : 0
}

export function targetKey(part: string): TargetKey {
  const slash = part.indexOf('/')
  return { platform: part.slice(0, slash), accountId: part.slice(slash + 1) }
}

/** The owner has already been asked to reconnect the account, or the platform could not get the media. */
async function failWithoutAsking(
  key: TargetKey,
  code: 'needs_reauth' | 'permanent',
  error: string,
  decide: PublishWork['decide'],
): Promise<WorkResult> {
  const attempt = attemptOf(await decide('start', (post) => startPublish(post, key)), key)
  await decide('fail', (post) => accountFailed(post, attempt, 'preparing', { code, error }))
  return DONE
}

/** The account is gone, and its credentials with it: nothing can be sent or looked up, but the post still has to settle. */
async function settleWithoutAccount(
  key: TargetKey,
  target: TargetState,
  decide: PublishWork['decide'],
): Promise<WorkResult> {
  if (target.step === 'queued' || target.step === 'preparing') {
    const attempt = attemptOf(await decide('start', (post) => startPublish(post, key)), key)
    const failure = { code: 'no_account', error: noAccountError(key.platform, key.accountId) } as const
    await decide('fail', (post) => accountFailed(post, attempt, 'preparing', failure))
  }
  if (target.step === 'submitted') {
    const error = unknownOutcome('post', 'The account was disconnected before the post could be looked up.')
    const attempt = { ...key, attempt: target.attempt }
    await decide('fail', (post) => accountFailed(post, attempt, 'submitted', { code: 'unknown', error }))
  }
  const comment = target.step === 'published' ? target.firstComment : undefined
  if (comment?.step === 'queued' || comment?.step === 'started') {
    const state =
      comment.step === 'queued' ? await decide('comment', (post) => startFirstComment(post, key)) : undefined
    const started = state ? firstCommentState(state, key) : comment
    if (started?.step !== 'started') return DONE
    const attempt = { ...key, attempt: started.attempt }
    await decide('comment-failed', (post) => firstCommentFailed(post, attempt, 'The account was disconnected.'))
  }
  return DONE
}
