import type { Ids } from '../../../infra/runtime/ids.ts'

/** 19 digits, too many for an exact number. */
export function digits(ids: Ids): string {
  return `75${BigInt(`0x${ids.token().replaceAll('-', '')}`)}`.slice(0, 19).padEnd(19, '1')
}
