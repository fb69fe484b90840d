import type { FastifyRequest } from 'fastify'
import type { StandInRefusal } from '../stand-in-refusal.ts'
import { streamOf } from '../raw-body.ts'
import { googleRefusal } from './refusal.ts'
import type { Progress, Session } from './session.ts'

/** All chunks but the last must be a multiple of this size. */
const GRANULE = 262_144

/** `probe` only queries the progress. */
export type ContentRange =
  | { readonly kind: 'probe' }
  | { readonly kind: 'chunk'; readonly first: number; readonly bytes: number }

/**
 * Without a range, the content is all of the video.
 *
 * @throws StandInRefusal 400 for a range that does not fit the session
 */
export function rangeOf({ headers }: FastifyRequest, session: Session): ContentRange {
  const whole = `bytes 0-${session.bytes - 1}/${session.bytes}`
  const match = /^bytes (?:\*|(\d+)-(\d+))\/(\d+)$/.exec(headers['content-range'] ?? whole)
  if (!match || Number(match[3]) !== session.bytes) throw invalid(`the session is of ${session.bytes} bytes`)
  // A length that is not announced is checked once all of the content has arrived.
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined
  if (match[1] === undefined) {
    if (length !== 0) throw invalid('a question about the session has no content')
    return { kind: 'probe' }
  }
  const [first, last] = [Number(match[1]), Number(match[2])]
  const bytes = last - first + 1
  if (last < first || last >= session.bytes || (length ?? bytes) !== bytes)
    throw invalid('the range does not fit its content')
  if ((headers['content-type'] ?? session.type) !== session.type) throw invalid(`the session is of ${session.type}`)
  if (last + 1 < session.bytes && bytes % GRANULE !== 0) throw invalid(`a chunk has a multiple of ${GRANULE} bytes`)
  return { kind: 'chunk', first, bytes }
}

function invalid(why: string): StandInRefusal {
  return googleRefusal(400, 'badRequest', `Invalid upload request: ${why}`)
}

/**
 * Reads all of the content and counts its first `take` bytes: the progress after them, without storing it.
 *
 * @throws StandInRefusal 400 for content of another length
 */
export async function received(body: unknown, progress: Progress, length: number, take: number): Promise<Progress> {
  const hash = progress.hash.copy()
  let bytes = 0
  let taken = 0
  for await (const chunk of contentOf(body)) {
    bytes += chunk.length
    const part = chunk.subarray(0, take - taken)
    hash.update(part)
    taken += part.length
  }
  if (bytes !== length) throw invalid(`the content has ${bytes} bytes instead of ${length}`)
  return { next: progress.next + taken, hash }
}

/** Reads and discards: closing the connection mid-body would hide the answer. */
export async function drained(body: unknown): Promise<void> {
  for await (const _ of contentOf(body));
}

function contentOf(body: unknown): AsyncIterable<Buffer> | readonly Buffer[] {
  return streamOf(body) ?? []
}
