import { createHash } from 'node:crypto'
import type { WorkKind } from '../../projections/agenda/agenda.ts'

/** The root span of one stream's lifecycle trace: hexadecimal, as in W3C Trace Context. */
export interface Life {
  readonly traceId: string
  readonly spanId: string
}

/** Streams that end, so that their whole lifecycle fits into one trace. */
const ENDING: readonly string[] = ['post', 'delivery', 'reply', 'video']

/** Whether a kind of work belongs to the lifecycle of such a stream. All other work recurs, and each run is its own trace. */
const OF_A_LIFE: Readonly<Record<WorkKind, boolean>> = {
  publish: true,
  schedule: true,
  pin: true,
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
  books: false,
  erase: false,
  retain: false,
  expiry: false,
  remove: false,
  media: false,
  notify: false,
}

/**
 * The trace is derived from the stream's id, so every process adds to the same one, even after a crash, and no event has to carry
 * it.
 */
function lifeOf(id: string): Life {
  const hash = createHash('sha256').update(`trace of ${id}`).digest('hex')
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48) }
}

/** @returns undefined for streams that never end, such as an account or a feed */
export function lifeOfStream({ category, id }: { readonly category: string; readonly id: string }): Life | undefined {
  return ENDING.includes(category) ? lifeOf(id) : undefined
}

export function lifeOfWork({ kind, subject }: { readonly kind: WorkKind; readonly subject: string }): Life | undefined {
  return OF_A_LIFE[kind] ? lifeOf(subject) : undefined
}
