import { Refusal } from '../domain/core/errors.ts'
import {
  isLiveChannel,
  type ChannelEvent,
  type ChannelSettings,
  type ChannelState,
  type LiveChannel,
} from '../domain/notification/channel.ts'

/**
 * Adding the same channel again is a no-op.
 *
 * @throws Refusal failed_precondition when it was removed in the meantime
 */
export function addChannel(
  state: ChannelState,
  command: Extract<ChannelEvent, { type: 'ChannelAdded' }>['data'],
): readonly ChannelEvent[] {
  if (isLiveChannel(state)) return []
  if (state.status === 'absent') return [{ type: 'ChannelAdded', data: command }]
  throw new Refusal('failed_precondition', 'This channel was removed. Add it again.')
}

/** Confirming it again is a no-op. @throws Refusal not_found */
export function confirmChannel(state: ChannelState): readonly ChannelEvent[] {
  return mustBeLive(state).status === 'active' ? [] : [{ type: 'ChannelConfirmed', data: {} }]
}

/** @throws Refusal not_found */
export function changeChannel(state: ChannelState, settings: ChannelSettings): readonly ChannelEvent[] {
  mustBeLive(state)
  return [{ type: 'ChannelChanged', data: settings }]
}

/** @throws Refusal not_found when it was removed before */
export function removeChannel(
  state: ChannelState,
  reason: Extract<ChannelEvent, { type: 'ChannelRemoved' }>['data']['reason'],
): readonly ChannelEvent[] {
  mustBeLive(state)
  return [{ type: 'ChannelRemoved', data: { reason } }]
}

/** @throws Refusal not_found when it was never added, or was removed */
export function mustBeLive(state: ChannelState): LiveChannel {
  if (isLiveChannel(state)) return state
  throw new Refusal('not_found', 'No such notification channel.')
}
