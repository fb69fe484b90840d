import * as z from 'zod'
import { unchanged, type EventOf, type StreamKind, type Upcaster } from '../core/event.ts'
import type { ErasedFields } from '../core/personal-data.ts'
import { text } from '../core/text.ts'

const amount = z.int().positive()
const total = z.int().nonnegative()
/**
 * `balance` is the balance after the entry. The stream's id is the workspace; it is repeated so that every event names its
 * workspace.
 */
const entry = { workspaceId: z.string(), amount, balance: total }

export const creditsEvents = {
  CreditsGranted: z.object({ ...entry, reason: text(500).optional() }),
  /** The charge for a video. It is refunded if the video is not requested within 15 minutes. */
  CreditsCharged: z.object({ ...entry, videoId: z.string() }),
  CreditsRefunded: z.object({ ...entry, videoId: z.string(), cause: z.enum(['failed', 'deleted']) }),
  /**
   * Closes the books: everything that later entries depend on, so that earlier ones need not be read again. The totals are of
   * the entries since the last closing. `open`: the charges that may still be refunded. `full`: the balance that the last grant made.
   */
  CreditsClosed: z.object({
    workspaceId: z.string(),
    balance: total,
    entries: z.int().positive(),
    granted: total,
    charged: total,
    refunded: total,
    open: z.array(z.object({ videoId: z.string(), amount })),
    full: z.object({ balance: total, since: z.iso.datetime() }).optional(),
  }),
}

const upcasters: Readonly<Record<string, readonly Upcaster[]>> = {
  // A charge used to carry the settings of its video.
  CreditsCharged: [({ settings: _, ...data }) => data],
  CreditsClosed: [unchanged],
}

export type CreditsEvent = EventOf<typeof creditsEvents>

/** The last known charge or refund of a video, linked to the ones before: copying a map for each would be slow. */
export interface Charge {
  readonly videoId: string
  readonly amount: number
  readonly isRefunded: boolean
  readonly before: Charge | undefined
}

export interface CreditsState {
  readonly balance: number
  readonly last: Charge | undefined
  /** Of the entries since the books were last closed. */
  readonly totals: Readonly<Record<'entries' | 'granted' | 'charged' | 'refunded', number>>
  /** The balance that the last grant made; undefined if an earlier version closed the books after it. */
  readonly full?: { readonly balance: number; readonly since: string } | undefined
  /** Whether there has ever been an entry. */
  readonly isOpened: boolean
}

const NO_TOTALS = { entries: 0, granted: 0, charged: 0, refunded: 0 }

/** The newest entry for a video's charge. */
export function chargeOf({ last }: CreditsState, videoId: string): Charge | undefined {
  let charge = last
  while (charge && charge.videoId !== videoId) charge = charge.before
  return charge
}

/** The charges that have not been refunded, oldest first. */
export function unrefunded({ last }: CreditsState): readonly Charge[] {
  const seen = new Set<string>()
  const found: Charge[] = []
  for (let charge = last; charge; charge = charge.before) {
    if (!seen.has(charge.videoId) && !charge.isRefunded) found.push(charge)
    seen.add(charge.videoId)
  }
  return found.toReversed()
}

/** The AI credits of one workspace: an append-only ledger whose books are closed (decisions, "Videos and credits"). */
export const credits: StreamKind<CreditsState, CreditsEvent> = {
  category: 'credits',
  events: creditsEvents,
  upcasters,
  personal: {
    key: 'workspace',
    erased: { CreditsGranted: { reason: undefined } } satisfies ErasedFields<typeof creditsEvents>,
  },
  closedBy: 'CreditsClosed',
  initial: { balance: 0, last: undefined, totals: NO_TOTALS, isOpened: false },
  evolve: ({ last: before, totals, full }, { type, data }, { at }): CreditsState => {
    const state = { balance: data.balance, isOpened: true, full }
    const counted = (total: 'granted' | 'charged' | 'refunded', amount: number) => ({
      ...totals,
      entries: totals.entries + 1,
      [total]: totals[total] + amount,
    })
    switch (type) {
      case 'CreditsGranted':
        return {
          ...{ ...state, last: before, totals: counted('granted', data.amount) },
          full: { balance: data.balance, since: at },
        }
      case 'CreditsCharged':
      case 'CreditsRefunded': {
        const { videoId, amount } = data
        const isRefunded = type === 'CreditsRefunded'
        const last = { videoId, amount, isRefunded, before }
        return { ...state, last, totals: counted(isRefunded ? 'refunded' : 'charged', amount) }
      }
      case 'CreditsClosed': {
        const last = data.open.reduce<Charge | undefined>(
          (before, charge) => ({ ...charge, isRefunded: false, before }),
          undefined,
        )
        return { ...state, last, totals: NO_TOTALS, full: data.full }
      }
    }
  },
}
