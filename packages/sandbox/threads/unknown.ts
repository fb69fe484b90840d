import { graphRefusal } from '../meta/refusal.ts'
import type { StandInRefusal } from '../stand-in-refusal.ts'

export function noSuchMedia(): StandInRefusal {
  return graphRefusal({ code: 24, subcode: 4279009, message: 'The requested resource does not exist' })
}
