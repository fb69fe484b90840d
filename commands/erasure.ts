import { account, NO_AUTOMATION, type AccountEvent, type AccountState } from '../domain/account/account.ts'
import { comment, type CommentEvent, type CommentState } from '../domain/conversation/comment.ts'
import { isOpened, reply, type ReplyState } from '../domain/conversation/reply.ts'
import type { ReplyEvent } from '../domain/conversation/reply-events.ts'
import { delivery, isQueued, type DeliveryEvent, type DeliveryState } from '../domain/webhook/delivery.ts'
import { publicEvents } from '../domain/webhook/public-event.ts'
import type { ErasedCounts, ErasureEvent, ErasureFilter, ErasureState } from '../domain/workspace/erasure.ts'
import { member, type MemberEvent, type MemberState } from '../domain/workspace/member.ts'
import { user, type UserEvent, type UserState } from '../domain/workspace/user.ts'
import { parseStreamName } from '../domain/core/event.ts'
import { derivedId } from '../domain/core/ids.ts'
import { handle, type CommandDeps } from './handle.ts'

/** Requesting the same erasure again is a no-op. */
export function requestErasure(state: ErasureState, filter: ErasureFilter): readonly ErasureEvent[] {
  return state.status === 'absent' ? [{ type: 'ErasureRequested', data: filter }] : []
}

export function finishErasure(state: ErasureState, counts: ErasedCounts): readonly ErasureEvent[] {
  return state.status === 'running' ? [{ type: 'ErasureFinished', data: counts }] : []
}

/**
 * Ends a stream and has it say that its personal data is erased. The caller then erases the key: a command that still writes to the
 * stream conflicts with the event, and sees it when it decides again.
 *
 * @returns `nothing` when the stream has no events, `waits` while it is in use
 */
export async function erasePersonalData(
  deps: CommandDeps,
  stream: string,
  erasureId: string,
): Promise<'erased' | 'nothing' | 'waits'> {
  const { category, id } = parseStreamName(stream)
  const cause = {
    // The same for every erasure: most streams are erased once.
    commandId: derivedId('erase', stream),
    actor: { kind: 'reactor', id: 'erase' },
    correlationId: erasureId,
  } as const
  const erased = async () => {
    // Of the stream as it is now: if it changes meanwhile, the append conflicts and this is read again.
    const recorded = await deps.log.read(stream)
    const ids = recorded.flatMap((event) => publicEvents(event).map(({ id }) => id))
    return { type: 'PersonalDataErased', data: { publicEvents: ids } } as const
  }
  switch (category) {
    case comment.category: {
      const { state } = await handle(deps, comment, id, cause, async (before) => eraseComment(before, await erased()))
      return state.status === 'absent' ? 'nothing' : 'erased'
    }
    case reply.category: {
      const { state } = await handle(deps, reply, id, cause, async (before) => eraseReply(before, await erased()))
      if (!isOpened(state)) return 'nothing'
      return state.status === 'sending' ? 'waits' : 'erased'
    }
    case account.category: {
      // It may be connected and erased again.
      const again = { ...cause, commandId: derivedId(cause.commandId, erasureId) }
      const { state } = await handle(deps, account, id, again, async (before) => eraseAccount(before, await erased()))
      return state.status === 'disconnected' ? 'erased' : 'nothing'
    }
    case user.category: {
      const again = { ...cause, commandId: derivedId(cause.commandId, erasureId) }
      const { state } = await handle(deps, user, id, again, async (before) => eraseUser(before, await erased()))
      return isGone(state) ? 'erased' : 'nothing'
    }
    case member.category: {
      const again = { ...cause, commandId: derivedId(cause.commandId, erasureId) }
      const { state } = await handle(deps, member, id, again, async (before) => eraseMember(before, await erased()))
      return state.status === 'removed' ? 'erased' : 'nothing'
    }
    case delivery.category: {
      const { state } = await handle(deps, delivery, id, cause, async (before) => eraseDelivery(before, await erased()))
      return isQueued(state) ? 'erased' : 'nothing'
    }
    default:
      throw new Error(`${stream} has a key, but nothing that erases it`)
  }
}

/** Of every kind: their schema is the same. */
type Erased = Extract<UserEvent, { type: 'PersonalDataErased' }>

/** The name of a connected account is in use. The automation is switched off: it would reply without its instruction. */
function eraseAccount(state: AccountState, erased: Erased): readonly AccountEvent[] {
  if (state.status !== 'disconnected') return []
  const isAutomated = state.automation.mode !== 'off' || state.automation.instruction !== ''
  return [...(isAutomated ? [{ type: 'AutomationSet', data: NO_AUTOMATION } as const] : []), erased]
}

/** As long as a user is in the workspace, the name is in use. */
function eraseUser(state: UserState, erased: Erased): readonly UserEvent[] {
  return isGone(state) ? [erased] : []
}

function isGone(state: UserState): boolean {
  return state.status === 'removed' || (state.status === 'active' && state.hasLeft === true)
}

function eraseMember(state: MemberState, erased: Erased): readonly MemberEvent[] {
  return state.status === 'removed' ? [erased] : []
}

function eraseComment(state: CommentState, erased: Erased): readonly CommentEvent[] {
  return state.status === 'absent' ? [] : [erased]
}

/** A reply that is undecided or failed is rejected, so that nobody sends what it reads then. */
function eraseReply(state: ReplyState, erased: Erased): readonly ReplyEvent[] {
  if (!isOpened(state) || state.status === 'sending') return []
  const isUndecided = state.status === 'pending' || state.status === 'failed'
  return [...(isUndecided ? [{ type: 'ReplyRejected', data: {} } as const] : []), erased]
}

function eraseDelivery(state: DeliveryState, erased: Erased): readonly DeliveryEvent[] {
  return isQueued(state) ? [erased] : []
}
