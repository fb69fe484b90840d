import { createHash } from 'node:crypto'
import { fileTypeFromBuffer } from 'file-type'
import type { FileHash } from '../files.ts'
import { measure as measureBytes } from '../measure.ts'
import { refuse } from './refusal.ts'

const SCRIPT = /sandbox=(processing|failed):([\w -]{1,100})$/

/** The directive in a file's last bytes. */
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
 * Counts and hashes bytes.
 *
 * @throws StandInRefusal 413 beyond `most`
 */
export async function measure(body: AsyncIterable<Uint8Array>, hash: FileHash, most: number): Promise<Measured> {
  const file = await measureBytes(body, hash, most)
  if (!file) throw refuse(413, 'REQUEST_ENTITY_TOO_LARGE', 'Request entity too large')
  const { bytes, sha256, head, tail } = file
  const mimeType = (await fileTypeFromBuffer(head))?.mime ?? 'application/octet-stream'
  return { bytes, mimeType, sha256, script: scriptOf(tail) }
}

/**
 * Combines parts in the given order. Their bytes are gone, so the SHA-256 is that of the parts' digests; a single part keeps its
 * own.
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
