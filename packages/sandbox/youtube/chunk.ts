import type { FastifyRequest } from 'fastify'
import type { StandInRefusal } from '../stand-in-refusal.ts'
import { streamOf } from '../raw-body.ts'
import { googleRefusal } from './refusal.ts'
import type { Progress, Session } from './session.ts'

/** All chunks but the last must be a multiple of this size. */
const GRANULE = 262_144

/** `probe` only queries the progress. */
export type ContentRange =
  { readonly kind: 'probe' } | { readonly kind: 'chunk'; readonly first: number; readonly bytes: number }

/** @throws StandInRefusal 400 for a range that does not fit the session */
export function rangeOf({ headers }: FastifyRequest, session: Session): ContentRange {
  const match = /^bytes (?:\*|(\d+)-(\d+))\/(\d+)$/.exec(headers['content-range'] ?? '')
  const invalid = (why: string): StandInRefusal => googleRefusal(400, 'badRequest', `Invalid upload request: ${why}`)
  if (!match || Number(match[3]) !== session.bytes) throw invalid(`the session is of ${session.bytes} bytes`)
  const length = Number(headers['content-length'])
  if (match[1] === undefined) {
    if (length !== 0) throw invalid('a question about the session has no content')
    return { kind: 'probe' }
  }
  const [first, last] = [Number(match[1]), Number(match[2])]
  const bytes = last - first + 1
  if (last < first || last >= session.bytes || length !== bytes) throw invalid('the range does not fit its content')
  if (headers['content-type'] !== session.type) throw invalid(`the session is of ${session.type}`)
  if (last + 1 < session.bytes && bytes % GRANULE !== 0) throw invalid(`a chunk has a multiple of ${GRANULE} bytes`)
  return { kind: 'chunk', first, bytes }
}

/** Reads all of the content and counts its first `take` bytes: the progress after them, without storing it. */
export async function received(body: unknown, progress: Progress, take: number): Promise<Progress> {
  const hash = progress.hash.copy()
  let taken = 0
  for await (const chunk of contentOf(body)) {
    const part = chunk.subarray(0, take - taken)
    hash.update(part)
    taken += part.length
  }
  return { next: progress.next + taken, hash }
}

/** Reads and discards: closing the connection mid-body would hide the answer. */
export async function drained(body: unknown): Promise<void> {
  for await (const _ of contentOf(body));
}

function contentOf(body: unknown): AsyncIterable<Buffer> | readonly Buffer[] {
  return streamOf(body) ?? []
}
