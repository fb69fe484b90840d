import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

/* An API key is `fnf_<id>_<secret>_<checksum>`: the id looks it up, and the checksum catches a typo without a query. */

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 43 characters from an alphabet of 62 are 256 bits. */
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6
const FORMAT = /^fnf_([0-9A-Z]{26})_([0-9A-Za-z]{43})_([0-9A-Za-z]{6})$/

export interface ParsedKey {
  /** The key's resource id, `key_...`. */
  readonly id: string
  readonly secretHash: string
}

/** A new secret for the key with this id (`key_<ULID>`): the raw key, which is shown once, and the hash, which is stored. */
export function generateKey(id: string): { readonly raw: string; readonly secretHash: string } {
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  const body = `fnf_${id.slice('key_'.length)}_${secret}`
  return { raw: `${body}_${checksum(body)}`, secretHash: hash(secret) }
}

/** The parts of a raw key, or undefined when it is malformed. */
export function parseKey(raw: string): ParsedKey | undefined {
  const [, id, secret, sum] = FORMAT.exec(raw) ?? []
  if (id === undefined || secret === undefined || sum !== checksum(raw.slice(0, -CHECKSUM_LENGTH - 1))) return undefined
  return { id: `key_${id}`, secretHash: hash(secret) }
}

/** Compares two hashes in constant time. */
export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** SHA-256 is enough: the secret has 256 random bits, so a slow hash adds nothing. */
function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

function checksum(body: string): string {
  let value = crc32(body)
  let digits = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    digits = ALPHABET[value % ALPHABET.length] + digits
    value = Math.floor(value / ALPHABET.length)
  }
  return digits
}
