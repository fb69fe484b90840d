import { z } from 'zod'
import type { EventOf, StreamKind } from '../core/event.ts'
import { text } from '../core/text.ts'

const events = {
  WorkspaceCreated: z.object({ name: text(100) }),
}

export type WorkspaceEvent = EventOf<typeof events>

export type WorkspaceState = { readonly status: 'absent' } | { readonly status: 'active'; readonly name: string }

export const workspace: StreamKind<WorkspaceState, WorkspaceEvent> = {
  category: 'workspace',
  events,
  initial: { status: 'absent' },
  evolve: (_state, event) => ({ status: 'active', name: event.data.name }),
}
