import { graphRefusal } from '../meta/refusal.ts'
import type { PlatformRefusal } from '../platform-refusal.ts'

export function noSuchMedia(): PlatformRefusal {
  return graphRefusal({ code: 24, subcode: 4279009, message: 'The requested resource does not exist' })
}
