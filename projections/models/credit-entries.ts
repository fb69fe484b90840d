import { credits, type CreditsEvent } from '../../domain/video/credits.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { integer, text, time, type RowOf } from '../engine/columns.ts'
import type { Projection } from '../engine/projection.ts'

const columns = {
  id: text(),
  workspaceId: text(),
  kind: text<'granted' | 'charged' | 'refunded'>(),
  amount: integer(),
  /** The balance after the entry. */
  balance: integer(),
  videoId: text<string | null>(),
  /** For a grant, the reason given. For a refund, whether the video failed or was deleted. */
  reason: text<string | null>(),
  createdAt: time(),
}
/** One entry in a workspace's credit ledger. */
export type CreditEntryRow = RowOf<typeof columns>

export const creditEntries: Projection<CreditEntryRow> = {
  name: 'credit_entries',
  version: 1,
  columns,
  // Each event creates its own row.
  createsRow: () => true,
  indexes: ['(workspace_id, id desc)', '(workspace_id, created_at desc, id desc)'],
  rowIds: (recorded) =>
    isEntry(eventOf(credits, recorded)) ? [entryId(parseStreamName(recorded.stream).id, recorded.revision)] : [],
  apply: (_before, recorded, id) => {
    const event = eventOf(credits, recorded)
    if (!isEntry(event)) return undefined
    const { workspaceId, amount, balance } = event.data
    return {
      id,
      workspaceId,
      amount,
      balance,
      createdAt: recorded.metadata.at,
      videoId: null,
      reason: null,
      ...causeOf(event),
    }
  },
}

/** Sorts by revision, so that the last id is the last entry whatever the clocks of the writing processes. */
function entryId(workspaceId: string, revision: number): string {
  return `${workspaceId}:${String(revision).padStart(10, '0')}`
}

type Entry = Exclude<CreditsEvent, { type: 'CreditsClosed' }>

function isEntry(event: CreditsEvent | undefined): event is Entry {
  return event !== undefined && event.type !== 'CreditsClosed'
}

function causeOf(event: Entry) {
  switch (event.type) {
    case 'CreditsGranted':
      return { kind: 'granted', reason: event.data.reason ?? null } as const
    case 'CreditsCharged':
      return { kind: 'charged', videoId: event.data.videoId } as const
    case 'CreditsRefunded':
      return { kind: 'refunded', videoId: event.data.videoId, reason: event.data.cause } as const
  }
}

/** A workspace's balance, now or at a time (ISO 8601 UTC). */
export async function balanceOf(db: Database, workspaceId: string, at?: string): Promise<number> {
  const { rows } = await db.query<{ balance: number }>(
    `select balance from read.credit_entries
     where workspace_id = $1 and ($2::timestamptz is null or created_at <= $2) order by id desc limit 1`,
    [workspaceId, at ?? null],
  )
  return rows[0]?.balance ?? 0
}
