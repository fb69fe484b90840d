import type { Actor } from './event.ts'

/** Who asked for something that takes more than a decision. `commandId` is the same for a repeat of the request. */
export interface RequestedBy {
  readonly commandId: string
  readonly actor: Actor
  readonly correlationId: string
  readonly requestId?: string
}
