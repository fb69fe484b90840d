import { createHash } from 'node:crypto'

/** Sixteen digits: the id of whoever has this name, the same each time. */
export function fanId(name: string): string {
  const hash = BigInt(`0x${createHash('sha256').update(name).digest('hex').slice(0, 16)}`)
  return `2${String(hash % 10n ** 15n).padStart(15, '0')}`
}
