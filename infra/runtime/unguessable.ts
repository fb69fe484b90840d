import { createHmac, hkdfSync } from 'node:crypto'

/** 160 bits, which is 32 characters of base32; in lower case, because not every file system is case-sensitive. */
const BYTES = 20
const CHARACTERS = 32

/**
 * A name that only somebody with the secret can make, the same whenever it is made.
 *
 * @param secret the derivation secret, which outlives the master key
 * @param use keeps names of different uses apart
 */
export function unguessable(secret: Buffer, use: string, parts: readonly (string | number)[]): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', use, 32))
  const mac = createHmac('sha256', key).update(JSON.stringify(parts)).digest().subarray(0, BYTES)
  return BigInt(`0x${mac.toString('hex')}`)
    .toString(32)
    .padStart(CHARACTERS, '0')
}
