import * as z from 'zod'
import { unchanged, type EventOf, type StreamKind } from '../core/event.ts'
import { PLATFORM_KEYS } from '../core/platform.ts'

const events = {
  /**
   * A platform reported that a person has removed the app, or asks for the deletion of their data (`erases`). `accountIds`: the
   * accounts of that person, in any workspace.
   */
  RemovalRequested: z.object({
    platform: z.enum(PLATFORM_KEYS),
    accountIds: z.array(z.string()),
    erases: z.boolean(),
  }),
  RemovalFinished: z.object({}),
}

export type RemovalEvent = EventOf<typeof events>
export type NewRemoval = Extract<RemovalEvent, { type: 'RemovalRequested' }>['data']

/** Times are ISO 8601 UTC. */
export type RemovalState =
  | { readonly status: 'absent' }
  | (NewRemoval & { readonly status: 'running'; readonly requestedAt: string })
  | (NewRemoval & { readonly status: 'finished'; readonly requestedAt: string; readonly finishedAt: string })

/** The end of a person's accounts, as the platform reported it. It belongs to no workspace (decision 49). */
export const removal: StreamKind<RemovalState, RemovalEvent> = {
  category: 'removal',
  events,
  // Version 2 may be of a platform that was added since.
  upcasters: { RemovalRequested: [unchanged] },
  initial: { status: 'absent' },
  evolve: (state, event, { at }) => {
    if (event.type === 'RemovalRequested') return { ...event.data, status: 'running', requestedAt: at }
    return state.status === 'absent' ? state : { ...state, status: 'finished', finishedAt: at }
  },
}
