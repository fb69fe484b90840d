import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

/* A key is `fnf_<id>_<secret>_<checksum>`: the id looks it up, and the checksum catches a typo without a query. */

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 43 characters from an alphabet of 62 are 256 bits. */
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6
const FORMAT = /^([a-z]{3})_([0-9A-Z]{26})_([0-9A-Za-z]{43})_([0-9A-Za-z]{6})$/

export interface ParsedKey {
  /** The resource id, such as `key_...`. */
  readonly id: string
  readonly secretHash: string
}

export interface KeyFormat {
  /** A new secret for the resource with this id: the raw key, which is shown once, and the hash, which is stored. */
  generate(id: string): { readonly raw: string; readonly secretHash: string }
  /** The parts of a raw key, or undefined when it is malformed. */
  parse(raw: string): ParsedKey | undefined
}

export const apiKeyFormat = keyFormat('fnf', 'key_')
/** Of the links by which people join a workspace. */
export const invitationFormat = keyFormat('fni', 'inv_')
/** Of the links by which users choose a new password: the id is the user's. */
export const resetLinkFormat = keyFormat('fnr', 'user_')

/** Of the links by which guests review a post: the id is the post's. */
export const reviewLinkFormat = keyFormat('fnl', 'post_')

function keyFormat(mark: string, prefix: string): KeyFormat {
  return {
    generate: (id) => {
      const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
      const body = `${mark}_${id.slice(prefix.length)}_${secret}`
      return { raw: `${body}_${checksum(body)}`, secretHash: hashOf(secret) }
    },
    parse: (raw) => {
      const [, found, id, secret, sum] = FORMAT.exec(raw) ?? []
      if (found !== mark || id === undefined || secret === undefined) return undefined
      if (sum !== checksum(raw.slice(0, -CHECKSUM_LENGTH - 1))) return undefined
      return { id: `${prefix}${id}`, secretHash: hashOf(secret) }
    },
  }
}

/** Compares two hashes in constant time. */
export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** SHA-256 is enough: a secret has 256 random bits, so a slow hash adds nothing. */
export function hashOf(secret: string): string {
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
