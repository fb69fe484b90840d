import { z } from 'zod'
import type { EventOf, StreamKind } from '../core/event.ts'
import { text } from '../core/text.ts'
import { videoSettings } from './video-events.ts'

const amount = z.int().positive()
/**
 * `balance` is the balance after the entry. The stream's id is the workspace; it is repeated so that every event names its
 * workspace.
 */
const entry = { workspaceId: z.string(), amount, balance: z.int().nonnegative() }

export const creditsEvents = {
  CreditsGranted: z.object({ ...entry, reason: text(500).optional() }),
  /**
   * The charge for a video, with everything needed to make it: from here on the video is due, even if the process that made the
   * charge crashes.
   */
  CreditsCharged: z.object({ ...entry, videoId: z.string(), settings: videoSettings }),
  CreditsRefunded: z.object({ ...entry, videoId: z.string(), cause: z.enum(['failed', 'deleted']) }),
}

export type CreditsEvent = EventOf<typeof creditsEvents>

/** The last known charge or refund of a video, linked to the ones before: copying a map for each would be slow. */
export interface Charge {
  readonly videoId: string
  readonly amount: number
  readonly isRefunded: boolean
  readonly settings: z.infer<typeof videoSettings> | undefined
  readonly before: Charge | undefined
}

export interface CreditsState {
  readonly balance: number
  readonly last: Charge | undefined
}

/** The newest entry for a video's charge. */
export function chargeOf({ last }: CreditsState, videoId: string): Charge | undefined {
  let charge = last
  while (charge && charge.videoId !== videoId) charge = charge.before
  return charge
}

/** The AI credits of one workspace: an append-only ledger (decisions, "Videos and credits"). */
export const credits: StreamKind<CreditsState, CreditsEvent> = {
  category: 'credits',
  events: creditsEvents,
  initial: { balance: 0, last: undefined },
  evolve: ({ last: before }, { type, data }): CreditsState => {
    const { balance, amount } = data
    switch (type) {
      case 'CreditsGranted':
        return { balance, last: before }
      case 'CreditsCharged': {
        const { videoId, settings } = data
        return { balance, last: { videoId, amount, settings, isRefunded: false, before } }
      }
      case 'CreditsRefunded':
        return { balance, last: { videoId: data.videoId, amount, settings: undefined, isRefunded: true, before } }
    }
  },
}
