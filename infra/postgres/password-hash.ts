import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'

/*
 * A stored password has the form `scrypt$<N>$<r>$<p>$<salt>$<hash>`, the last two in base64url. Each names its own cost, so older
 * hashes stay valid when the cost is raised.
 */

/** scrypt parameters (RFC 7914 §2): `128 * N * r` bytes of memory, `p` times. */
export interface Cost {
  readonly N: number
  readonly r: number
  readonly p: number
}

/** One of the equivalent settings in OWASP's Password Storage Cheat Sheet: 32 MB, three times. */
export const COST: Cost = { N: 2 ** 15, r: 8, p: 3 }
const BYTES = 32
const SALT_BYTES = 16
const FORMAT = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)$/

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

export async function hashPassword(password: string, cost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const { N, r, p } = cost
  const hash = await hashed(password, salt, BYTES, cost)
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** A missing or unreadable hash takes as long as a wrong password: `cost` is that of new hashes. */
export async function isPassword(password: string, kept: string | undefined, cost = COST): Promise<boolean> {
  const [, N, r, p, salt, hash] = FORMAT.exec(kept ?? '') ?? []
  if (salt === undefined || hash === undefined) {
    await hashed(password, Buffer.alloc(SALT_BYTES), BYTES, cost)
    return false
  }
  const expected = Buffer.from(hash, 'base64url')
  const its = { N: Number(N), r: Number(r), p: Number(p) }
  const given = await hashed(password, Buffer.from(salt, 'base64url'), expected.length, its)
  return timingSafeEqual(given, expected)
}

function hashed(password: string, salt: Buffer, bytes: number, { N, r, p }: Cost): Promise<Buffer> {
  // The same character can be typed in two ways (RFC 8265 §4.2.1).
  return inTurn(() => derive(password.normalize('NFC'), salt, bytes, { N, r, p, maxmem: 2 * 128 * N * r }))
}

let last: Promise<unknown> = Promise.resolve()

/** One at a time: many at once would use up the memory, and the threads that file access and name lookups need. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work)
  last = mine.catch(() => undefined)
  return mine
}
