import { createHash } from 'node:crypto'
import { fileTypeFromBuffer } from 'file-type'
import { refuse } from './refusal.ts'

/** As much of a file's beginning as tells its type. */
const HEAD_BYTES = 4_100
const TAIL_BYTES = 200
const SCRIPT = /sandbox=(processing|failed):([\w -]{1,100})$/

/** What a file asks of the stand-in by its last bytes. */
export interface Script {
  readonly looks: number
  readonly failure: string | undefined
}

export interface Measured {
  readonly bytes: number
  readonly mimeType: string
  /** Hex. */
  readonly sha256: string
  readonly script: Script
}

/**
 * Counts and hashes bytes, and lets them go.
 *
 * @throws LinkedInRefusal 413 beyond `most`, once all of it was read: a cut connection would hide the answer
 */
export async function measure(body: AsyncIterable<Uint8Array>, most: number): Promise<Measured> {
  const hash = createHash('sha256')
  let head = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > most) continue
    hash.update(chunk)
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)])
    tail = Buffer.concat([tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES)
  }
  if (bytes > most) throw refuse(413, 'REQUEST_ENTITY_TOO_LARGE', 'Request entity too large')
  const mimeType = (await fileTypeFromBuffer(head))?.mime ?? 'application/octet-stream'
  return { bytes, mimeType, sha256: hash.digest('hex'), script: scriptOf(tail) }
}

/**
 * The whole of several parts in the order given. Their bytes are gone, so its SHA-256 is that of the parts' digests, and
 * of one part its own.
 */
export function assembled(parts: readonly Measured[]): Measured {
  const [first, ...more] = parts
  const last = parts.at(-1)
  if (!first || !last) throw new Error('no parts')
  const hash = createHash('sha256')
  for (const { sha256 } of parts) hash.update(Buffer.from(sha256, 'hex'))
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
  const sha256 = more.length === 0 ? first.sha256 : hash.digest('hex')
  return { bytes, mimeType: first.mimeType, sha256, script: last.script }
}

function scriptOf(tail: Buffer): Script {
  const [, what, value = ''] = SCRIPT.exec(tail.toString('latin1')) ?? []
  return { looks: what === 'processing' ? Number(value) : 1, failure: what === 'failed' ? value : undefined }
}
