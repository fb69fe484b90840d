import { createHash } from 'node:crypto'

const ALPHABET = '234567abcdefghijklmnopqrstuvwxyz'
const LENGTH = 13

/**
 * The record key of a post: a timestamp identifier (atproto "TID": 53 bits of microseconds, 10 bits of clock id, as 13
 * characters that sort by time). The same for the same key and time, so that every attempt writes the same record.
 *
 * @param at ISO 8601. What it leaves open, the microseconds and the clock id, is filled from a hash of the key: posts of
 *   one millisecond get different record keys.
 */
export function tidFor(key: string, at: string): string {
  const { micros, clockId } = shareOf(key)
  return encoded(Date.parse(at), micros, clockId)
}

/** Whether the record key is of this key, at whatever time. Of a million that are not, one looks so. */
export function isTidFor(key: string, rkey: string): boolean {
  const digits = [...rkey].map((character) => ALPHABET.indexOf(character))
  if (digits.length !== LENGTH || digits.includes(-1)) return false
  const value = digits.reduce((sum, digit) => (sum << 5n) | BigInt(digit), 0n)
  const { micros, clockId } = shareOf(key)
  return (value & 1023n) === clockId && (value >> 10n) % 1000n === micros
}

/** What a key gives to its record keys. */
function shareOf(key: string): { readonly micros: bigint; readonly clockId: bigint } {
  const digest = createHash('sha256').update(key).digest()
  return { micros: BigInt(digest.readUInt32BE(0) % 1000), clockId: BigInt(digest.readUInt16BE(4) % 1024) }
}

/** What the record keys of a time (ms since the epoch) and of all after it do not sort before. */
export function firstTidAt(ms: number): string {
  return encoded(Math.max(0, ms), 0n, 0n)
}

function encoded(ms: number, micros: bigint, clockId: bigint): string {
  let rest = ((BigInt(ms) * 1000n + micros) << 10n) | clockId
  let tid = ''
  for (let position = 0; position < LENGTH; position++) {
    tid = ALPHABET.charAt(Number(rest & 31n)) + tid
    rest >>= 5n
  }
  return tid
}
