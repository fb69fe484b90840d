import type { Ids } from '../../../infra/runtime/ids.ts'

/** An id like Pinterest's: 18 digits, too many for an exact number. */
export function digits(ids: Ids): string {
  return `9${BigInt(`0x${ids.token().replaceAll('-', '')}`)}`.slice(0, 18)
}
