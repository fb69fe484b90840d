import type { AttemptPolicy } from '../../commands/attempt-policy.ts'
import { removeChannel } from '../../commands/channel.ts'
import { createResetLink } from '../../commands/reset-link.ts'
import { handlePatiently } from '../../commands/handle-patiently.ts'
import { handle, load, type Cause, type CommandDeps } from '../../commands/handle.ts'
import { roleIn } from '../../commands/member.ts'
import { dropNotification, overAt, recordSending, startSending, type SendResult } from '../../commands/notification.ts'
import { Superseded } from '../../commands/superseded.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { channel, isLiveChannel, type LiveChannel } from '../../domain/notification/channel.ts'
import { notification, type LiveNotification } from '../../domain/notification/notification.ts'
import type { Known } from '../../domain/notification/topic.ts'
import { user } from '../../domain/workspace/user.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Vault } from '../../infra/postgres/vault.ts'
import { newResetLink } from '../../infra/runtime/reset-link.ts'
import { channelToken } from '../../infra/runtime/channel-token.ts'
import { namesOfAccounts } from '../../projections/models/accounts.ts'
import { scheduledByAccount } from '../../projections/models/scheduled-posts.ts'
import { findWorkspaces } from '../../projections/models/workspaces.ts'
import { DONE, park, type Reactor } from '../runtime/reactor.ts'
import { sendTo, type SendDeps } from './channels/send.ts'
import { messageOf, type Message } from './message.ts'

export interface SendNotificationDeps extends CommandDeps, Omit<SendDeps, 'clock'> {
  readonly db: Database
  readonly vault: Pick<Vault, 'find' | 'remove'>
  readonly policy: AttemptPolicy
  /** The derivation secret. */
  readonly secret: Buffer
  /** Where people reach the service, without a trailing slash. */
  readonly url: () => string
}

/** How long (ms) until a worker that was too late looks again. */
const LOOK_AGAIN_MS = 1_000

/**
 * Sends one message under the guard: the intent is in the log before the call, its outcome after it. After a crash in between
 * nobody knows whether it arrived, so it is not sent again.
 */
export function sendNotificationReactor(deps: SendNotificationDeps): Reactor {
  const { log, clock } = deps
  return async ({ subject: id, token }, signal) => {
    const state = await load(log, notification, id)
    if (state.status === 'absent' || state.status === 'settled') return DONE
    const causedBy = (step: string): Cause => ({
      commandId: derivedId(token, step),
      actor: { kind: 'reactor', id: 'notify' },
      correlationId: id,
    })
    const record = (attempt: number, result: SendResult) =>
      handlePatiently(
        deps,
        notification,
        id,
        causedBy(`attempt ${attempt}`),
        (now) => recordSending(now, attempt, result, deps.policy, clock.now()),
        signal,
      )

    if (state.status === 'sending') {
      if (overAt(state) > clock.now()) return park(overAt(state))
      await record(state.attempts, { kind: 'failed', code: 'unknown', error: INTERRUPTED })
      // The secret of a channel that the attempt has ended may be left.
      await receiverOf(deps, state, causedBy('channel'))
      return DONE
    }
    if (Date.parse(state.dueAt) > clock.now()) return park(Date.parse(state.dueAt))

    const receiver = await receiverOf(deps, state, causedBy('channel'))
    const secret = receiver && (await deps.vault.find(state.channelId))
    if (!receiver || !secret) {
      await handle(deps, notification, id, causedBy('drop'), dropNotification)
      return DONE
    }
    const begun = await handle(deps, notification, id, causedBy('start'), (now) =>
      startSending(now, clock.now()),
    ).catch((error: unknown) => {
      if (error instanceof Superseded) return undefined
      throw error
    })
    if (begun?.state.status !== 'sending') return park(clock.now() + LOOK_AGAIN_MS)
    const { state: claimed } = begun
    // What was claimed may be more than what was read above.
    const message = await written(deps, id, claimed, causedBy('reset link')).catch((error: unknown) => {
      deps.logger.warn({ err: error }, 'a notification could not be written')
    })
    const result = message ? await sendTo(deps, receiver.kind, secret, message, signal) : NOT_WRITTEN
    if (result.kind === 'failed' && result.isGone) await endChannel(deps, state.channelId, 'gone', causedBy('gone'))
    await record(claimed.attempts, result)
    return DONE
  }
}

const NOT_WRITTEN: SendResult = { kind: 'deferred', error: 'What it says could not be read.' }
const INTERRUPTED = 'Fanfare stopped while it was sending: the message may have been sent.'

/** The channel; undefined if it may not be written to any longer, or not yet. */
async function receiverOf(
  deps: SendNotificationDeps,
  { channelId, workspaceId, notices }: LiveNotification,
  cause: Cause,
): Promise<LiveChannel | undefined> {
  const state = await load(deps.log, channel, channelId)
  if (!isLiveChannel(state)) {
    await deps.vault.remove(channelId)
    return undefined
  }
  const { userId } = state
  if (userId !== undefined && (await roleIn(deps.log, userId, workspaceId)) === undefined) {
    await endChannel(deps, channelId, 'user_removed', cause)
    return undefined
  }
  const isConfirmation = notices.every(({ topic }) => topic === 'confirmation')
  return state.status === 'active' || isConfirmation ? state : undefined
}

async function endChannel(
  deps: SendNotificationDeps,
  channelId: string,
  reason: 'user_removed' | 'gone',
  cause: Cause,
): Promise<void> {
  await handle(deps, channel, channelId, cause, (now) => (isLiveChannel(now) ? removeChannel(now, reason) : []))
  await deps.vault.remove(channelId)
}

async function written(
  deps: SendNotificationDeps,
  id: string,
  state: LiveNotification,
  cause: Cause,
): Promise<Message> {
  const { db, url, secret } = deps
  const { workspaceId, channelId, notices, hasMore } = state
  const accountIds = notices.filter(({ topic }) => topic.startsWith('account.')).map(({ about }) => about)
  const [[workspace], names, scheduled] = await Promise.all([
    findWorkspaces(db, workspaceId),
    namesOfAccounts(db, accountIds),
    scheduledByAccount(db, workspaceId, accountIds),
  ])
  const knownOf = ({ about }: { readonly about: string }): Known => ({
    label: names.get(about),
    scheduled: scheduled.get(about),
  })
  const message = messageOf(id, { workspace: workspace?.name ?? workspaceId, notices, hasMore }, knownOf, `${url()}/`)
  const [first] = notices
  if (first?.topic === 'password') {
    const link = await resetLink(deps, first.about, cause)
    return { ...message, lines: message.lines.map((line) => ({ ...line, url: link })) }
  }
  const channelUrl = `${url()}/channels/${channelToken(secret, channelId)}`
  return notices.every(({ topic }) => topic === 'confirmation')
    ? { ...message, lines: message.lines.map((line) => ({ ...line, url: channelUrl })) }
    : { ...message, unsubscribeUrl: channelUrl }
}

/** A new one for each attempt, because the log does not have its secret. */
async function resetLink(deps: SendNotificationDeps, userId: string, cause: Cause): Promise<string> {
  const { link, data } = newResetLink(deps.url(), userId, derivedId('reset-link', cause.commandId), deps.clock.now())
  await handle(deps, user, userId, cause, (state) => createResetLink(state, data))
  return link
}
