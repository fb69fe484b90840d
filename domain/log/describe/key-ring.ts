import type { KeyRingEvent } from '../../workspace/key-ring.ts'
import { counted, sentence } from './wording.ts'

export function describeKeyRing(event: KeyRingEvent): string {
  const { keyId, previousKeyId, workspaces, secrets } = event.data
  const sealed = `${counted(secrets, 'secret')} in ${counted(workspaces, 'workspace')}`
  return sentence(`The master key ${previousKeyId} was replaced by ${keyId}, which encrypts ${sealed}`)
}
