import type { PromiseKind } from './promise.ts'
import { comments } from './comments.ts'
import { competitor } from './competitor.ts'
import { deliver, redeliver } from './deliver.ts'
import { draft } from './draft.ts'
import { feed } from './feed.ts'
import { metrics } from './metrics.ts'
import { publish } from './publish.ts'
import { recycle } from './recycle.ts'
import { refund } from './refund.ts'
import { schedule } from './schedule.ts'
import { send } from './send.ts'
import { video } from './video.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

/** What is owed, by kind of work. Each has a reactor (`reactors/`). */
const KINDS = {
  publish,
  schedule,
  feed,
  recycle,
  comments,
  metrics,
  competitor,
  draft,
  send,
  video,
  refund,
  deliver,
  redeliver,
} as const satisfies Record<string, PromiseKind>
const ENTRIES = Object.entries(KINDS)
export type WorkKind = keyof typeof KINDS

/** One promise: what is owed, to whom, and from when on. It is gone once an event has kept it. */
export interface AgendaRow {
  readonly id: string
  readonly kind: WorkKind
  /** The stream's id, and which part of it. */
  readonly subject: string
  readonly part: string
  /** Whose turn it is: rows of one lane (an account, a receiver) share a cap, so that none starves another. Of one kind. */
  readonly lane: string
  readonly due_at: string
}

/**
 * The agenda. Nothing is owed anywhere else: rebuilt from the log, it holds every promise again. The lease columns are the
 * dispatcher's (`reactors/runtime/leases.ts`).
 */
export const agenda: Projection<AgendaRow> = {
  name: 'agenda',
  version: 5,
  columns: { id: 'text', kind: 'text', subject: 'text', part: 'text', lane: 'text', due_at: 'timestamptz' },
  operational: { lease_token: 'text', lease_owner: 'text', lease_until: 'timestamptz' },
  makesAnew: (event, id) => (KINDS[kindOf(id)].makesAnew ?? atStreamStart)(event),
  // By when rows may be taken (`reactors/runtime/leases.ts`), so that none looks through all that are put off. Of the first two each serves
  // its own look-ups and not the other's, whatever the planner thinks of the rows.
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
    const { subject, part, lane, due_at } = promised
    return { id, kind, subject, part, lane: prefix + lane, due_at }
  },
}

function kindOf(id: string): WorkKind {
  const kind = id.slice(0, id.indexOf(':'))
  if (Object.hasOwn(KINDS, kind)) return kind as WorkKind
  throw new Error(`${id} is no row of the agenda`)
}
