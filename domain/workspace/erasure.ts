import * as z from 'zod'
import type { EventOf, StreamKind } from '../core/event.ts'

/** What is erased: the personal data of a workspace that matches all that is given. */
const filter = {
  workspaceId: z.string(),
  /** Of comments on this account, and replies to them. */
  accountId: z.string().optional(),
  /** Of comments by this author: a hash of their name or id that only the workspace can compute, base64url. */
  author: z.string().optional(),
  /** Only the name of this user, who is removed. */
  userId: z.string().optional(),
  /** What was stored before, ISO 8601 UTC. Replies to a comment are erased together with it, whenever they were written. */
  before: z.iso.datetime(),
}

const count = z.int().nonnegative()
const counts = { comments: count, replies: count, deliveries: count }

const events = {
  ErasureRequested: z.object(filter),
  /** `comments`, `replies` and `deliveries`: how many were erased. */
  ErasureFinished: z.object(counts),
}

export type ErasureEvent = EventOf<typeof events>
export type ErasureFilter = Extract<ErasureEvent, { type: 'ErasureRequested' }>['data']
export type ErasedCounts = Extract<ErasureEvent, { type: 'ErasureFinished' }>['data']

export type ErasureState =
  | { readonly status: 'absent' }
  | (Requested & { readonly status: 'running' })
  | (Requested & ErasedCounts & { readonly status: 'finished'; readonly finishedAt: string })

interface Requested extends ErasureFilter {
  readonly requestedAt: string
}

/** A request to erase personal data. Each stream that it erases says so with `PersonalDataErased` (decision 47). */
export const erasure: StreamKind<ErasureState, ErasureEvent> = {
  category: 'erasure',
  events,
  initial: { status: 'absent' },
  evolve: (state, event, { at }) => {
    if (event.type === 'ErasureRequested') return { ...event.data, status: 'running', requestedAt: at }
    return state.status === 'absent' ? state : { ...state, ...event.data, status: 'finished', finishedAt: at }
  },
}
