import type { PromiseKind } from './promise.ts'
import { books } from './books.ts'
import { comments } from './comments.ts'
import { competitor } from './competitor.ts'
import { deliver, redeliver } from './deliver.ts'
import { draft } from './draft.ts'
import { erase } from './erase.ts'
import { expiry } from './expiry.ts'
import { feed } from './feed.ts'
import { media } from './media.ts'
import { metrics } from './metrics.ts'
import { notify } from './notify.ts'
import { pin } from './pin.ts'
import { publish } from './publish.ts'
import { retain } from './retain.ts'
import { recycle } from './recycle.ts'
import { remove } from './remove.ts'
import { refund } from './refund.ts'
import { schedule } from './schedule.ts'
import { send } from './send.ts'
import { video } from './video.ts'
import { text, time, type RowOf } from '../engine/columns.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

/** The kinds of due work. Each has a reactor (`reactors/`). */
const KINDS = {
  publish,
  schedule,
  pin,
  feed,
  recycle,
  comments,
  metrics,
  competitor,
  draft,
  send,
  video,
  media,
  refund,
  books,
  erase,
  retain,
  expiry,
  remove,
  deliver,
  redeliver,
  notify,
} as const satisfies Record<string, PromiseKind>
const ENTRIES = Object.entries(KINDS)
export type WorkKind = keyof typeof KINDS

const columns = {
  id: text(),
  kind: text<WorkKind>(),
  /** The stream's id, and which part of it. */
  subject: text(),
  part: text(),
  /**
   * The concurrency group, such as an account or a receiver: its rows share a limit, so that no group starves another. Each
   * group belongs to one kind.
   */
  lane: text(),
  dueAt: time(),
}
/** One piece of pending work and when it is due. The event that completes the work removes the row. */
export type AgendaRow = RowOf<typeof columns>

/** Sent when a row was written that is due, or about to be. */
export const DUE = 'fanfare_due'
/** Sent when rows were removed: others of their concurrency groups may start. */
export const FREED = 'fanfare_freed'
/** How far ahead (ms) a row counts as about to be due: later ones are found in time without a signal. */
export const ABOUT_TO_BE_DUE_MS = 1_000

/**
 * The agenda: the only record of due work, and fully rebuilt from the log. The dispatcher owns the lease columns
 * (`reactors/runtime/leases.ts`).
 */
export const agenda: Projection<AgendaRow> = {
  name: 'agenda',
  version: 13,
  columns,
  operational: { lease_token: 'text', lease_owner: 'text', lease_until: 'timestamptz' },
  createsRow: (event, id) => (KINDS[kindOf(id)].createsRow ?? atStreamStart)(event),
  // Ordered by when a row can be leased (`reactors/runtime/leases.ts`), so that no query scans postponed rows. The first two
  // expressions differ so that each index serves only its own queries, whatever the planner estimates.
  indexes: [
    '(kind, lane, (greatest(due_at, lease_until)))',
    "((kind || ''), (greatest(due_at, lease_until)))",
    '(lane) where lease_token is not null',
  ],
  rowIds: (event) => {
    const ids: string[] = []
    for (const [kind, promises] of ENTRIES) for (const name of promises.names(event)) ids.push(`${kind}:${name}`)
    return ids
  },
  apply: (row, event, id) => {
    const kind = kindOf(id)
    const prefix = `${kind}/`
    const before = row && { ...row, lane: row.lane.slice(prefix.length) }
    const promised = KINDS[kind].apply(before, event, id.slice(kind.length + 1))
    if (!promised) return undefined
    if (promised === before) return row
    const { subject, part, lane, dueAt } = promised
    return { id, kind, subject, part, lane: prefix + lane, dueAt }
  },
  signals: (written, gone, now) => [
    ...(written.some(({ dueAt }) => Date.parse(dueAt) <= now + ABOUT_TO_BE_DUE_MS) ? [DUE] : []),
    ...(gone > 0 ? [FREED] : []),
  ],
}

function kindOf(id: string): WorkKind {
  const kind = id.slice(0, id.indexOf(':'))
  if (Object.hasOwn(KINDS, kind)) return kind as WorkKind
  throw new Error(`${id} is not a row of the agenda`)
}
