import type { Ids } from '../../../infra/runtime/ids.ts'

/** Random digits, at most 19. Meta's ids exceed JavaScript's safe integers. */
export function digits(count: number, ids: Ids): string {
  const random = BigInt(`0x${ids.token().replaceAll('-', '').slice(-16)}`) % 10n ** BigInt(count)
  return String(random).padStart(count, '0')
}
