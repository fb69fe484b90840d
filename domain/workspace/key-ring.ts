import * as z from 'zod'
import type { EventOf, StreamKind } from '../core/event.ts'
import { text } from '../core/text.ts'

const keyId = text(100)

const events = {
  /** Key ids reveal nothing about the keys. The counts are of what the new key encrypts. */
  MasterKeyRotated: z.object({
    keyId,
    previousKeyId: keyId,
    workspaces: z.int().nonnegative(),
    secrets: z.int().nonnegative(),
  }),
}

export type KeyRingEvent = EventOf<typeof events>

/** `keyId` is that of the last rotation. */
export interface KeyRingState {
  readonly keyId?: string
}

/** The master keys of an installation: a single stream that belongs to no workspace. */
export const keyRing: StreamKind<KeyRingState, KeyRingEvent> = {
  category: 'keyring',
  events,
  initial: {},
  evolve: (_state, event) => ({ keyId: event.data.keyId }),
}

export const KEY_RING_ID = 'keyring_master'
