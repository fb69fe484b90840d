import type { StandInRefusal } from '../stand-in-refusal.ts'
import { graphRefusal } from './refusal.ts'

/** @param status 404 for some calls */
export function unknownObject(id: string, status = 400): StandInRefusal {
  const message = `Unsupported request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`
  return graphRefusal({ code: 100, subcode: 33, message, status })
}
