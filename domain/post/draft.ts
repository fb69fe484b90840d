import * as z from 'zod'
import { unchanged, type EventOf, type StreamKind } from '../core/event.ts'
import type { ErasedFields } from '../core/personal-data.ts'
import { content } from './post-events.ts'

/** Who sees a draft: its author alone, or everybody in the workspace. */
export const VISIBILITIES = ['private', 'workspace'] as const

const draftContent = z.object(content).partial()
export type DraftContent = Readonly<z.infer<typeof draftContent>>

const events = {
  /** The whole draft, changed or not: commands read from the last one, however often it is saved. `authorId`: a key or a user. */
  DraftSaved: z.object({
    workspaceId: z.string(),
    authorId: z.string(),
    visibility: z.enum(VISIBILITIES),
    content: draftContent,
    createdAt: z.iso.datetime(),
  }),
  /** It became a post, published or scheduled. */
  DraftPublished: z.object({ postId: z.string() }),
  DraftDeleted: z.object({}),
}

export type DraftEvent = EventOf<typeof events>
export type SavedDraft = Extract<DraftEvent, { type: 'DraftSaved' }>['data']

export type DraftState =
  | { readonly status: 'absent' | 'deleted' }
  | (SavedDraft & { readonly status: 'open' })
  | (SavedDraft & { readonly status: 'published'; readonly postId: string })

export type LiveDraft = Exclude<DraftState, { readonly status: 'absent' | 'deleted' }>

/** A post that is being written. It has no time, and any of its fields may be missing. */
export const draft: StreamKind<DraftState, DraftEvent> = {
  category: 'draft',
  events,
  // Version 2 may have a chain, or text alone, version 3 texts of a part by platform, version 4 a document.
  upcasters: { DraftSaved: [unchanged, unchanged, unchanged] },
  personal: {
    key: 'workspace',
    erased: { DraftSaved: { content: {} } } satisfies ErasedFields<typeof events>,
  },
  initial: { status: 'absent' },
  closedBy: 'DraftSaved',
  evolve: (state, event) => {
    if (event.type === 'DraftSaved') return { ...event.data, status: 'open' }
    if (event.type === 'DraftDeleted') return { status: 'deleted' }
    return isLiveDraft(state) ? { ...state, status: 'published', postId: event.data.postId } : state
  },
}

export function isLiveDraft(state: DraftState): state is LiveDraft {
  return state.status === 'open' || state.status === 'published'
}

/** @param readerId the id of a key or a user */
export function maySee(
  { authorId, visibility }: Pick<SavedDraft, 'authorId' | 'visibility'>,
  readerId: string,
): boolean {
  return visibility === 'workspace' || authorId === readerId
}
