import * as z from 'zod'
import { list } from './setting-values.ts'

const KEY_BYTES = 32
/** The current key, the next one, and one that an unfinished rotation still needs. */
const MOST_KEYS = 3

const bytesOf = (key: string) => Buffer.from(key, 'base64')

/** Master keys in base64, comma separated, newest first. Errors name a key by its position, because it must not be shown. */
export const encryptionKeys = list(z.string()).superRefine((keys, context) => {
  const fault = (at: number, message: string) =>
    context.addIssue({ code: 'custom', message: keys.length > 1 ? `key ${at + 1} ${message}` : message })
  const wrong = keys.findIndex((key) => bytesOf(key).length !== KEY_BYTES)
  if (wrong >= 0 || keys.length === 0) {
    return fault(Math.max(0, wrong), 'must be 32 random bytes in base64, as `openssl rand -base64 32` prints them')
  }
  if (keys.length > MOST_KEYS) return fault(MOST_KEYS, `is one too many: at most ${MOST_KEYS} are allowed`)
  keys.forEach((key, at) => {
    const first = keys.findIndex((other) => bytesOf(other).equals(bytesOf(key)))
    if (first < at) fault(at, `is the same as key ${first + 1}`)
  })
})
