import { credits, type CreditsEvent } from '../../domain/video/credits.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Projection } from '../engine/projection.ts'

/** One entry in a workspace's credit ledger. */
export interface CreditEntryRow {
  readonly id: string
  readonly workspace_id: string
  readonly kind: 'granted' | 'charged' | 'refunded'
  readonly amount: number
  /** The balance after the entry. */
  readonly balance: number
  readonly video_id: string | null
  /** For a grant, the reason given. For a refund, whether the video failed or was deleted. */
  readonly reason: string | null
  readonly created_at: string
}

export const creditEntries: Projection<CreditEntryRow> = {
  name: 'credit_entries',
  version: 1,
  columns: {
    id: 'text',
    workspace_id: 'text',
    kind: 'text',
    amount: 'integer',
    balance: 'integer',
    video_id: 'text',
    reason: 'text',
    created_at: 'timestamptz',
  },
  // Each event creates its own row.
  makesAnew: () => true,
  indexes: ['(workspace_id, id desc)', '(workspace_id, created_at desc, id desc)'],
  rowIds: (recorded) =>
    eventOf(credits, recorded) ? [entryId(parseStreamName(recorded.stream).id, recorded.revision)] : [],
  apply: (_before, recorded, id) => {
    const event = eventOf(credits, recorded)
    if (!event) return undefined
    const { workspaceId, amount, balance } = event.data
    return {
      id,
      workspace_id: workspaceId,
      amount,
      balance,
      created_at: recorded.metadata.at,
      video_id: null,
      reason: null,
      ...causeOf(event),
    }
  },
}

/** Sorts by revision, so that the last id is the last entry whatever the clocks of the writing processes. */
function entryId(workspaceId: string, revision: number): string {
  return `${workspaceId}:${String(revision).padStart(10, '0')}`
}

function causeOf(event: CreditsEvent) {
  switch (event.type) {
    case 'CreditsGranted':
      return { kind: 'granted', reason: event.data.reason ?? null } as const
    case 'CreditsCharged':
      return { kind: 'charged', video_id: event.data.videoId } as const
    case 'CreditsRefunded':
      return { kind: 'refunded', video_id: event.data.videoId, reason: event.data.cause } as const
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
