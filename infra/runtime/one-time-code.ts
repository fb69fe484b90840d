import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'

/* Codes of authenticator apps (TOTP, RFC 6238), by what all of them support: SHA-1, six digits, another code every 30 s. */

const DIGITS = 6
const STEP_MS = 30_000
/** Of base32 (RFC 4648). */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const BITS = 5
/** 32 characters are 160 bits, as RFC 4226 §4 recommends. */
const SECRET_LENGTH = 32

export const TOTP_SECRET = /^[A-Z2-7]{32}$/

/** A new secret, in base32. */
export function newTotpSecret(): string {
  return Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** What an authenticator app reads. */
export function totpUri(secret: string, issuer: string, name: string): string {
  const label = [issuer, name].map(encodeURIComponent).join(':')
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}

/** The code of a step (HOTP, RFC 4226 §5.3). */
export function codeOf(key: Buffer, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', key).update(counter).digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0x0f) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/**
 * The time step of a code. Clocks may differ by one step.
 *
 * @param now ms since the epoch
 * @param after the step of the code that was accepted last: no earlier one is accepted, nor this one again
 * @returns undefined when the code is not right
 */
export function stepOf(secret: string, code: string, now: number, after = -1): number | undefined {
  const given = Buffer.from(code)
  const key = keyOf(secret)
  const current = Math.floor(now / STEP_MS)
  return [current - 1, current, current + 1].find((step) => {
    const expected = Buffer.from(codeOf(key, step))
    return step > after && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** Decodes base32; bits that do not fill a byte are dropped. */
export function keyOf(secret: string): Buffer {
  const bits = Array.from(secret, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(BITS, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
