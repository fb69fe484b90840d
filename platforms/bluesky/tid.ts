import { createHash } from 'node:crypto'

const ALPHABET = '234567abcdefghijklmnopqrstuvwxyz'
const LENGTH = 13

/**
 * The record key of a post: a timestamp identifier (atproto "TID": 53 bits of microseconds, 10 bits of clock id, as 13
 * characters that sort by time). Deterministic, so that every attempt writes the same record.
 *
 * @param at ISO 8601. The microseconds and the clock id come from a hash of the key, so posts of the same millisecond get
 *   different record keys.
 */
export function tidFor(key: string, at: string): string {
  const { micros, clockId } = shareOf(key)
  return encoded(Date.parse(at), micros, clockId)
}

/** Whether the record key was derived from this key, at any time. About one in a million others matches by chance. */
export function isTidFor(key: string, rkey: string): boolean {
  const digits = [...rkey].map((character) => ALPHABET.indexOf(character))
  if (digits.length !== LENGTH || digits.includes(-1)) return false
  const value = digits.reduce((sum, digit) => (sum << 5n) | BigInt(digit), 0n)
  const { micros, clockId } = shareOf(key)
  return (value & 1023n) === clockId && (value >> 10n) % 1000n === micros
}

/** The bits that a key contributes to its record keys. */
function shareOf(key: string): { readonly micros: bigint; readonly clockId: bigint } {
  const digest = createHash('sha256').update(key).digest()
  return { micros: BigInt(digest.readUInt32BE(0) % 1000), clockId: BigInt(digest.readUInt16BE(4) % 1024) }
}

/** The smallest record key of a time (ms since the epoch). */
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
