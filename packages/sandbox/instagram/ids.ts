import type { Ids } from '../../../infra/runtime/ids.ts'
import { digits } from '../meta/digits.ts'

export const CONTAINER = '179'
export const MEDIA = '180'
export const COMMENT = '178'

/** Seventeen digits, of which the first three identify the kind of object. */
export function newId(kind: string, ids: Ids): string {
  return kind + digits(14, ids)
}
