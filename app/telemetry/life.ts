import { createHash } from 'node:crypto'
import type { WorkKind } from '../../projections/agenda/agenda.ts'

/** Where the life of one thing begins as a trace: hexadecimal, as W3C Trace Context has it. */
export interface Life {
  readonly traceId: string
  readonly spanId: string
}

/** Streams that come to an end, so that all of their life fits into one trace. */
const ENDING: readonly string[] = ['post', 'delivery', 'reply', 'video']

/** Work on such a stream. All else comes round again and again, and each time is a trace of its own. */
const OF_A_LIFE: Readonly<Record<WorkKind, boolean>> = {
  publish: true,
  schedule: true,
  draft: true,
  send: true,
  video: true,
  refund: true,
  deliver: true,
  redeliver: true,
  feed: false,
  recycle: false,
  comments: false,
  metrics: false,
  competitor: false,
}

/**
 * The trace of a stream follows from its id, so whoever works on it, in any process and after any crash, adds to the same
 * one, and no event has to carry it.
 */
function lifeOf(id: string): Life {
  const hash = createHash('sha256').update(`trace of ${id}`).digest('hex')
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48) }
}

/** @returns undefined for streams that are never done, as an account or a feed */
export function lifeOfStream({ category, id }: { readonly category: string; readonly id: string }): Life | undefined {
  return ENDING.includes(category) ? lifeOf(id) : undefined
}

export function lifeOfWork({ kind, subject }: { readonly kind: WorkKind; readonly subject: string }): Life | undefined {
  return OF_A_LIFE[kind] ? lifeOf(subject) : undefined
}
