import type { WorkKind } from '../../../projections/agenda/agenda.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { Database } from '../../../infra/postgres/pool.ts'

/** Whether others see what a kind of work does, or it costs money, or it cannot be undone. */
const MATTERS: Readonly<Record<WorkKind, boolean>> = {
  publish: true,
  schedule: true,
  recycle: true,
  feed: true,
  send: true,
  draft: true,
  video: true,
  deliver: true,
  redeliver: true,
  notify: true,
  erase: true,
  remove: true,
  pin: false,
  comments: false,
  metrics: false,
  competitor: false,
  media: false,
  refund: false,
  books: false,
  retain: false,
  expiry: false,
}
const MATTERING = Object.entries(MATTERS).flatMap(([kind, matters]) => (matters ? [kind] : []))
const MOST_NAMED = 10

export interface DueRow {
  readonly id: string
  readonly kind: string
  readonly dueAt: string
}

/** What a start would do at once. */
export interface DueWork {
  readonly kinds: readonly { readonly kind: string; readonly rows: number; readonly oldest: string }[]
  /** The first that others would see, that would cost money, or that cannot be undone. */
  readonly first: readonly DueRow[]
  /** Why none of it would begin: the names of the holds. */
  readonly heldBy: readonly string[]
}

/** How such work differs between the two versions, at the same event. */
export interface ChangedWork {
  /** Due now, and not on the live agenda. */
  readonly added: { readonly rows: number; readonly first: readonly DueRow[] }
  /** On the live agenda, and not on that of this version: it would never be done. */
  readonly lost: { readonly rows: number; readonly first: readonly DueRow[] }
}

const ROW = `id, kind, due_at as "dueAt"`

export async function dueWork(db: Pick<Database, 'query'>, now: number): Promise<DueWork> {
  const due = [isoTime(now)]
  const { rows: kinds } = await db.query<DueWork['kinds'][number]>(
    `select kind, count(*)::integer as rows, min(due_at) as oldest from read_next.agenda
     where due_at <= $1 group by kind order by kind`,
    due,
  )
  const { rows: first } = await db.query<DueRow>(
    `select ${ROW} from read_next.agenda where due_at <= $1 and kind = any($2) order by due_at, id limit ${MOST_NAMED}`,
    [...due, MATTERING],
  )
  const { rows: holds } = await db.query<{ name: string }>(
    'select name from service.holds where until is null or until > $1 order by name',
    due,
  )
  return { kinds, first, heldBy: holds.map(({ name }) => name) }
}

export async function changedWork(db: Pick<Database, 'query'>, now: number): Promise<ChangedWork> {
  const only = async (here: string, there: string, until: string) => {
    const { rows } = await db.query<DueRow & { readonly all: number }>(
      `select ${ROW}, (count(*) over ())::integer as all from ${here}.agenda as one
       where kind = any($1) and due_at <= $2 and not exists (select from ${there}.agenda where id = one.id)
       order by due_at, id limit ${MOST_NAMED}`,
      [MATTERING, until],
    )
    return { rows: rows[0]?.all ?? 0, first: rows.map(({ id, kind, dueAt }) => ({ id, kind, dueAt })) }
  }
  return { added: await only('read_next', 'read', isoTime(now)), lost: await only('read', 'read_next', 'infinity') }
}
