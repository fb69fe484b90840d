import { account } from '../../domain/account/account.ts'
import type { Limits } from '../../domain/account/capability.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { isOpened, reply, type LiveReply, type ReplyState, type Sending } from '../../domain/conversation/reply.ts'
import type { ReplyEvent } from '../../domain/conversation/reply-events.ts'
import type { AttemptPolicy } from '../../commands/attempt-policy.ts'
import { handle, load, type CommandDeps } from '../../commands/handle.ts'
import { noAccountError } from '../../commands/queue-post.ts'
import {
  deferSend,
  mustBeSending,
  replyFailed,
  replySent,
  sendAnswerLost,
  sendProgressed,
  startSend,
} from '../../commands/send-reply.ts'
import { Superseded } from '../../commands/superseded.ts'
import type { Conversation, ReplyJob, SentReply } from '../../platforms/kit/conversation.ts'
import type { PlatformAccount } from '../../platforms/kit/platform.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { noteLimit, noteStanding, noteSuccess } from '../platform-calls/account-standing.ts'
import { pausedUntil } from '../platform-calls/pauses.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'
import { DONE, park, type Reactor, type WorkResult } from '../runtime/reactor.ts'
import {
  makeCall,
  prepareCall,
  settleCall,
  unknownOutcome,
  type CallDeps,
  type CallOutcome,
  type VisibleCall,
} from '../platform-calls/visible-call.ts'

export interface SendReplyDeps extends CommandDeps {
  readonly access: PlatformAccess
  readonly logger: Logger
  readonly policy: AttemptPolicy
}

type Decision = (state: ReplyState) => readonly ReplyEvent[]
type Decide = (step: string, decision: Decision) => Promise<ReplyState>
type Failure = Extract<ReplyEvent, { type: 'ReplyFailed' }>['data']['code']

/** Sends an approved reply, or reconciles one whose response was lost. */
export function sendReplyReactor(deps: SendReplyDeps): Reactor {
  return async ({ subject: id, token }, signal) => {
    const { log, clock, access } = deps
    const state = await load(log, reply, id)
    if (!isOpened(state) || state.status !== 'sending' || !state.sending) return DONE
    const waits = Date.parse(state.sending.notBefore ?? '')
    if (waits > clock.now()) return park(waits)
    const decide: Decide = async (step, decision) => {
      const commandId = derivedId(token, step)
      const cause = { commandId, actor: { kind: 'reactor', id: 'send-reply' }, correlationId: id } as const
      return (await handle(deps, reply, id, cause, decision)).state
    }
    try {
      const connected = await accountOf(deps, state)
      if ('restsUntil' in connected && state.sending.startedAt === undefined) return park(connected.restsUntil)
      if ('code' in connected) return await failWithoutAsking(decide, state.sending, connected)
      const { accountId } = state
      const platform = access.platform(state.platform)
      const isRepeated = state.sending.attempts > 0
      const use = { accountId, capability: 'replies', platform, by: 'send-reply', work: token, isRepeated } as const
      const isNew = state.sending.startedAt === undefined
      const paused = isNew ? await pausedUntil(deps, connected.account, 'writing', use) : undefined
      if (paused !== undefined) return park(paused)
      const onFailure: CallDeps['onFailure'] = async (failure) => {
        // Replying may need its own permission: only a rest concerns the whole account.
        if (failure.accountRests) await noteStanding(deps, accountId, failure, token)
        await noteLimit(deps, use, failure)
      }
      const onSuccess = () => noteSuccess(deps, use, connected.limits)
      return await send({ ...deps, signal, onFailure, onSuccess }, decide, id, state, connected)
    } catch (error) {
      // Another worker owns or has finished the attempt: nothing left to do.
      if (error instanceof Superseded) return DONE
      throw error
    }
  }
}

interface Receiver {
  readonly account: PlatformAccount
  readonly conversation: Conversation
  readonly limits: Limits | undefined
}

/** The account to send from; or why the reply cannot be sent, or until when (ms since the epoch) it has to wait. */
async function accountOf(
  { log, clock, access }: SendReplyDeps,
  { accountId: id, platform, workspaceId }: LiveReply,
): Promise<
  Receiver | (Receiver & { readonly restsUntil: number }) | { readonly code: Failure; readonly error: string }
> {
  const state = await load(log, account, id)
  const { conversation } = access.platform(platform)
  // Treat another workspace's account as nonexistent.
  if (state.status !== 'connected' || state.platform !== platform || state.workspaceId !== workspaceId) {
    return { code: 'no_account', error: noAccountError(platform, id) }
  }
  if (!conversation) return { code: 'permanent', error: `Fanfare cannot reply to comments on ${platform}.` }
  if (state.needsReauth !== undefined) return { code: 'needs_reauth', error: state.needsReauth }
  const { externalId, baseUrl, restsUntil, limits } = state
  const receiver = {
    account: { id, platform, externalId, ...(baseUrl === undefined ? {} : { baseUrl }) },
    conversation,
    limits,
  }
  const rests = Date.parse(restsUntil ?? '')
  return rests > clock.now() ? { ...receiver, restsUntil: rests } : receiver
}

/** Fails without calling the platform. A reply that may have been sent ends as unknown. */
async function failWithoutAsking(
  decide: Decide,
  sending: Sending,
  { code, error }: { readonly code: Failure; readonly error: string },
): Promise<WorkResult> {
  if (sending.startedAt !== undefined) {
    const failure = { code: 'unknown', error: unknownOutcome('reply', error) } as const
    await decide('failed', (state) => replyFailed(state, sending.attempt, failure))
    return DONE
  }
  const { attempt } = mustBeSending(await decide('start', startSend)).sending
  await decide('failed', (state) => replyFailed(state, attempt, { code, error }))
  return DONE
}

type SendDeps = SendReplyDeps & CallDeps & { readonly onSuccess: () => Promise<void> }

async function send(
  deps: SendDeps,
  decide: Decide,
  id: string,
  before: LiveReply,
  receiver: Receiver,
): Promise<WorkResult> {
  const { sending: approved } = mustBeSending(before)
  if (approved.startedAt !== undefined) {
    return record(deps, decide, approved.attempt, await settleCall(deps, callOf(id, before, approved, receiver)))
  }
  const broken = receiver.conversation.check(approved.text)
  const prepared = broken.length > 0 ? undefined : await prepare(deps, id, before, approved, receiver)
  if (prepared?.ok && prepared.value.outcome === 'processing') {
    const { handle, lookAgainMs } = prepared.value
    const lookAt = deps.clock.now() + lookAgainMs
    if (JSON.stringify(handle) === JSON.stringify(approved.handle)) return park(lookAt)
    await decide('progressed', (state) => sendProgressed(state, handle, lookAt))
    return DONE
  }
  const { sending } = mustBeSending(await decide('start', startSend))
  const outcome: CallOutcome<SentReply> = prepared
    ? await makeCall(deps, callOf(id, before, sending, receiver), prepared)
    : { kind: 'failed', code: 'permanent', error: broken.join(' ') }
  return record(deps, decide, sending.attempt, outcome)
}

function prepare(
  deps: CallDeps,
  id: string,
  state: LiveReply,
  sending: Sending,
  { account, conversation: { prepare } }: Receiver,
): ReturnType<typeof prepareCall> {
  const job = replyJob(id, state, sending, account)
  return prepareCall(deps, account, prepare && ((io) => prepare(job, io, sending.handle)))
}

export function replyJob(
  id: string,
  { commentId, references }: Pick<LiveReply, 'commentId' | 'references'>,
  { text, approvedAt }: Pick<Sending, 'text' | 'approvedAt'>,
  account: PlatformAccount,
): ReplyJob {
  return { key: derivedId('reply', id), account, commentId, references, text, approvedAt }
}

function callOf(
  id: string,
  state: LiveReply,
  sending: Sending,
  { account, conversation }: Receiver,
): VisibleCall<SentReply> {
  const job = replyJob(id, state, sending, account)
  const { startedAt = '', askedAgainAt, lost } = sending
  const { proof, visibleWithinMs } = conversation
  return {
    ...{ what: 'reply', account, startedAt, askedAgainAt, lost, proof, visibleWithinMs },
    make: (io, handle) => conversation.reply(job, io, handle),
    find: async (io) => (await conversation.find?.(job, io)) ?? { outcome: 'unknown' },
  }
}

async function record(
  { policy, clock, onSuccess }: SendDeps,
  decide: Decide,
  attempt: number,
  outcome: CallOutcome<SentReply>,
): Promise<WorkResult> {
  switch (outcome.kind) {
    case 'wait':
      return park(outcome.until)
    case 'done':
      await decide('sent', (state) => replySent(state, attempt, outcome.done))
      await onSuccess()
      return DONE
    case 'lost':
      await decide('lost', (state) => sendAnswerLost(state, attempt, outcome.error, outcome.lookAt))
      return DONE
    case 'deferred':
      await decide('deferred', (state) => deferSend(state, attempt, outcome, policy, clock.now()))
      return DONE
    case 'failed':
      await decide('failed', (state) => replyFailed(state, attempt, outcome))
      return DONE
  }
}
