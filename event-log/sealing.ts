import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import * as z from 'zod'
import type { NewEvent } from '../domain/core/event.ts'
import type { Subject } from '../domain/core/personal-data.ts'

/** The key of one stream's personal data. */
export interface EventKey {
  /** Tells it from a later key of the same stream. Reveals nothing about the key. */
  readonly id: string
  readonly key: Buffer
}

/** The keys of personal data, one per stream. Erasing a key erases what it encrypts. */
export interface EventKeys {
  /**
   * Creates the key of a stream that begins; returns what it has if it began in the meantime.
   *
   * @param begun.at when it begins, ISO 8601 UTC
   * @param begun.again whether it may have been erased, and begins again: then it gets another key
   * @throws LogUnavailable
   */
  create(
    stream: string,
    subject: Subject,
    begun: { readonly at: string; readonly again?: boolean },
  ): Promise<EventKey | 'erased'>
  /** What these streams have: nothing for one that began without a key. @throws LogUnavailable */
  find(streams: readonly string[]): Promise<ReadonlyMap<string, EventKey | 'erased'>>
}

/** Personal fields as stored in an event's metadata. */
export const sealedSchema = z.object({
  /** The id of the key. */
  key: z.string(),
  /** The stream that the key is of; absent: the event's own. */
  of: z.string().optional(),
  /** AES-256-GCM, base64: nonce, salt and fields as JSON (encrypted), tag. Bound to the stream and the event's id. */
  text: z.string(),
  /** SHA-256 of salt and fields, base64url: proves later what they were, and reveals nothing once the key is gone. */
  hash: z.string(),
})
export type Sealed = Readonly<z.infer<typeof sealedSchema>>

const ALGORITHM = 'aes-256-gcm'
const NONCE = 12
const SALT = 16
const TAG = 16

export function seal(key: EventKey, stream: string, { id }: Pick<NewEvent, 'id'>, fields: object): Sealed {
  const random = nextRandom()
  const plain = Buffer.concat([random.subarray(NONCE), Buffer.from(JSON.stringify(fields))])
  const nonce = random.subarray(0, NONCE)
  const cipher = createCipheriv(ALGORITHM, key.key, nonce).setAAD(boundTo(stream, id))
  const text = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64')
  return { key: key.id, text, hash: createHash('sha256').update(plain).digest('base64url') }
}

/** Taken together: asking for a few bytes costs as much as for thousands. */
let pool = Buffer.alloc(0)

/** Bytes that are used once. */
function nextRandom(): Buffer {
  if (pool.length < NONCE + SALT) pool = randomBytes(256 * (NONCE + SALT))
  const next = pool.subarray(0, NONCE + SALT)
  pool = pool.subarray(NONCE + SALT)
  return next
}

/** @throws Error if it was encrypted with another key, or has been modified */
export function unseal(key: EventKey, stream: string, event: Pick<NewEvent, 'id'>, sealed: Sealed): object {
  return JSON.parse(disclose(key, stream, event, sealed).fields) as object
}

/** What `Sealed.hash` is the hash of. */
export interface Disclosed {
  /** Base64. */
  readonly salt: string
  /** The personal fields, as JSON. */
  readonly fields: string
}

/** @throws Error if it was encrypted with another key, or has been modified */
export function disclose(key: EventKey, stream: string, { id }: Pick<NewEvent, 'id'>, { text }: Sealed): Disclosed {
  const bytes = Buffer.from(text, 'base64')
  const decipher = createDecipheriv(ALGORITHM, key.key, bytes.subarray(0, NONCE), { authTagLength: TAG })
  decipher.setAAD(boundTo(stream, id)).setAuthTag(bytes.subarray(-TAG))
  const plain = Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()])
  return { salt: plain.toString('base64', 0, SALT), fields: plain.toString('utf8', SALT) }
}

/** How much larger the encryption of its personal fields makes an event, in bytes. */
export function encryptionBytes(metadata: object): number {
  if (!('sealed' in metadata)) return 0
  const { text } = metadata.sealed as Sealed
  const plain = Buffer.byteLength(text, 'base64') - NONCE - SALT - TAG
  return JSON.stringify(metadata.sealed).length + SEALED_FIELD.length - plain
}

/** What encryption adds to the metadata beside its result. */
const SEALED_FIELD = '"schemaVersion":2,"sealed":,'

function boundTo(stream: string, id: string): Buffer {
  return Buffer.from(`${stream} ${id}`)
}
