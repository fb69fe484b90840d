import type { KeyRingEvent, KeyRingState } from '../domain/workspace/key-ring.ts'

/** No-op when the last rotation was to the same key. */
export function rotateMasterKey(
  state: KeyRingState,
  rotation: Extract<KeyRingEvent, { type: 'MasterKeyRotated' }>['data'],
): readonly KeyRingEvent[] {
  return state.keyId === rotation.keyId ? [] : [{ type: 'MasterKeyRotated', data: rotation }]
}
