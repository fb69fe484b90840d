import type { Ids } from '../../../infra/runtime/ids.ts'
import { digits } from '../meta/digits.ts'

/** Ids of accounts, containers and posts. */
export function newId(ids: Ids): string {
  return `9${digits(17, ids)}`
}
