import { createHash } from 'node:crypto'

/** A fan's id, sixteen digits, derived from the name. */
export function fanId(name: string): string {
  const hash = BigInt(`0x${createHash('sha256').update(name).digest('hex').slice(0, 16)}`)
  return `2${String(hash % 10n ** 15n).padStart(15, '0')}`
}
