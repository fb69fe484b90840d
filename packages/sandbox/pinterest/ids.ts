import type { Ids } from '../../../infra/runtime/ids.ts'

/** An id as Pinterest's: 18 digits, too many for a number to be exact. */
export function digits(ids: Ids): string {
  return `9${BigInt(`0x${ids.token().replaceAll('-', '')}`)}`.slice(0, 18)
}
