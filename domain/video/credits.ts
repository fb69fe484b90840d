import { z } from 'zod'
import type { EventOf, StreamKind } from '../core/event.ts'
import { text } from '../core/text.ts'
import { videoSettings } from './video-events.ts'

const amount = z.int().positive()
/** `balance`: after it. The workspace is the stream's own id; it is named so that every event tells whose it is. */
const entry = { workspaceId: z.string(), amount, balance: z.int().nonnegative() }

export const creditsEvents = {
  CreditsGranted: z.object({ ...entry, reason: text(500).optional() }),
  /**
   * The charge for a video, with all that it takes to make it: from here on the video is owed, whatever happens to the
   * process that took the charge.
   */
  CreditsCharged: z.object({ ...entry, videoId: z.string(), settings: videoSettings }),
  CreditsRefunded: z.object({ ...entry, videoId: z.string(), cause: z.enum(['failed', 'deleted']) }),
}

export type CreditsEvent = EventOf<typeof creditsEvents>

/** What is known of a video's charge, and of all charges before it: as a list, because copying a map for each is slow. */
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

/** The newest that is known of a video's charge. */
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
