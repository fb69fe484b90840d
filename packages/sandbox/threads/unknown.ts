import { GraphRefusal } from '../meta/refusal.ts'

export function noSuchMedia(): GraphRefusal {
  return new GraphRefusal({ code: 24, subcode: 4279009, message: 'The requested resource does not exist' })
}
