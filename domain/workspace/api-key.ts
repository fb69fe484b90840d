import * as z from 'zod'
import { unchanged, type EventOf, type StreamKind } from '../core/event.ts'
import { SCOPES, type Scope } from '../core/scope.ts'
import { ERASED, type ErasedFields } from '../core/personal-data.ts'
import { text } from '../core/text.ts'
import { budgets, type Budgets } from './budgets.ts'
import { undoSeconds } from './undo.ts'

/** An app that a person has let in with OAuth. `host`: to where the code that lets it in was sent. */
const client = z.object({ id: text(2_000), host: text(300) })
export type OAuthClient = Readonly<z.infer<typeof client>>

const events = {
  /**
   * `secretHash` is the SHA-256 (hex) of a random 256-bit secret, so it cannot be reversed. Nobody knows that of a `client`, which has
   * tokens instead.
   */
  ApiKeyCreated: z.object({
    workspaceId: z.string(),
    label: text(100),
    scopes: z.array(z.enum(SCOPES)),
    secretHash: z.string(),
    client: client.optional(),
  }),
  /** How long what it publishes can be taken back first. Absent: as in the workspace. */
  ApiKeyUndoSet: z.object({ seconds: undoSeconds.optional() }),
  /** What it may use up on each day, in place of what was set before. */
  ApiKeyBudgetsSet: z.object({ budgets }),
  ApiKeyRevoked: z.object({}),
}

export type ApiKeyEvent = EventOf<typeof events>

export type ApiKeyState =
  | { readonly status: 'absent' }
  | {
      readonly status: 'active' | 'revoked'
      readonly workspaceId: string
      readonly scopes: readonly Scope[]
      readonly undoSeconds?: number | undefined
      readonly budgets: Budgets
    }

export const apiKey: StreamKind<ApiKeyState, ApiKeyEvent> = {
  category: 'api_key',
  events,
  // Version 2 may have the scopes of erasures, version 3 those of approvals, version 4 those of users, version 5
  // that of proposals, version 6 a client.
  upcasters: { ApiKeyCreated: [unchanged, unchanged, unchanged, unchanged, unchanged] },
  personal: {
    key: 'workspace',
    erased: { ApiKeyCreated: { label: ERASED } } satisfies ErasedFields<typeof events>,
  },
  initial: { status: 'absent' },
  evolve: (state, event) => {
    switch (event.type) {
      case 'ApiKeyCreated':
        return { status: 'active', workspaceId: event.data.workspaceId, scopes: event.data.scopes, budgets: {} }
      case 'ApiKeyUndoSet':
        return state.status === 'absent' ? state : { ...state, undoSeconds: event.data.seconds }
      case 'ApiKeyBudgetsSet':
        return state.status === 'absent' ? state : { ...state, budgets: event.data.budgets }
      case 'ApiKeyRevoked':
        return state.status === 'absent' ? state : { ...state, status: 'revoked' }
    }
  },
}
