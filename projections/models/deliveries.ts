import { delivery, type DeliveryContent, type DeliveryEvent } from '../../domain/webhook/delivery.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** One attempt as shown to users. `at` is when its outcome was known, ISO 8601 UTC. */
export interface DeliveryTry {
  readonly at: string
  /** Null when there was no response. */
  readonly statusCode: number | null
  /** Null when it was delivered. */
  readonly error: string | null
  readonly durationMs: number
}

export interface DeliveryRow {
  readonly id: string
  readonly workspace_id: string
  readonly webhook_id: string
  readonly event: DeliveryContent['event']
  readonly event_id: string
  readonly status: DeliveryStatus
  readonly attempts: number
  /** The error of the last failed attempt; null when none failed. */
  readonly last_error: string | null
  /** The latest attempts, oldest first. */
  readonly attempt_log: readonly DeliveryTry[]
  /** Null unless pending. */
  readonly next_attempt_at: string | null
  readonly created_at: string
}

/** Attempts kept per delivery: one that is resent repeatedly must not grow without bound. */
const KEPT_TRIES = 50

const COLUMNS = `id, workspace_id, webhook_id, event, event_id, status, attempts, last_error, attempt_log, next_attempt_at,
  created_at`

export const deliveries: Projection<DeliveryRow> = {
  name: 'deliveries',
  version: 1,
  columns: {
    id: 'text',
    workspace_id: 'text',
    webhook_id: 'text',
    event: 'text',
    event_id: 'text',
    status: 'text',
    attempts: 'integer',
    last_error: 'text',
    attempt_log: 'json',
    next_attempt_at: 'timestamptz',
    created_at: 'timestamptz',
  },
  makesAnew: atStreamStart,
  indexes: ['(webhook_id, created_at desc, id desc)', '(webhook_id, status, created_at desc, id desc)'],
  rowIds: (event) => (eventOf(delivery, event) ? [parseStreamName(event.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(delivery, recorded)
    const { at } = recorded.metadata
    if (event?.type === 'DeliveryQueued') return queuedRow(id, event.data, at)
    return row && event ? { ...row, ...change(row, event, at) } : row
  },
}

function queuedRow(id: string, content: DeliveryContent, at: string): DeliveryRow {
  const { workspaceId, webhookId, eventId, event } = content
  return {
    id,
    workspace_id: workspaceId,
    webhook_id: webhookId,
    event,
    event_id: eventId,
    created_at: at,
    status: 'pending',
    attempts: 0,
    last_error: null,
    attempt_log: [],
    next_attempt_at: at,
  }
}

function change(
  row: DeliveryRow,
  event: Exclude<DeliveryEvent, { type: 'DeliveryQueued' }>,
  at: string,
): Partial<DeliveryRow> {
  const ended = { next_attempt_at: null }
  switch (event.type) {
    case 'DeliveryStarted':
      return {}
    case 'DeliverySucceeded':
      return { ...tried(row, event.data, at), ...ended, status: 'delivered' }
    case 'DeliveryDeferred':
      return { ...tried(row, event.data, at), next_attempt_at: event.data.nextAttemptAt }
    case 'DeliveryFailed':
      return { ...tried(row, event.data, at), ...ended, status: 'failed' }
    case 'DeliveryResendRequested':
      return { status: 'pending', next_attempt_at: at }
    case 'DeliveryCancelled':
      return { ...ended, status: 'failed', last_error: 'the webhook was deleted' }
  }
}

function tried(
  { attempt_log, last_error }: DeliveryRow,
  data: { readonly attempt: number; readonly error?: string } & Pick<DeliveryTry, 'statusCode' | 'durationMs'>,
  at: string,
): Partial<DeliveryRow> {
  const { attempt, statusCode, error = null, durationMs } = data
  const log = [...attempt_log, { at, statusCode, error, durationMs }].slice(-KEPT_TRIES)
  return { attempts: attempt, last_error: error ?? last_error, attempt_log: log }
}

export async function findDelivery(db: Database, id: string): Promise<DeliveryRow | undefined> {
  const { rows } = await db.query<DeliveryRow>(`select ${COLUMNS} from read.deliveries where id = $1`, [id])
  return rows[0]
}

/** Newest first. */
export async function listDeliveries(
  db: Database,
  page: {
    readonly webhookId: string
    readonly status: DeliveryStatus | undefined
    readonly limit: number
    readonly after: { readonly at: string; readonly id: string } | undefined
  },
): Promise<readonly DeliveryRow[]> {
  const { status, after } = page
  const values = [page.webhookId, after?.at ?? null, after?.id ?? null, page.limit]
  const { rows } = await db.query<DeliveryRow>(
    `select ${COLUMNS} from read.deliveries
     where webhook_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3))
       ${status === undefined ? '' : 'and status = $5'}
     order by created_at desc, id desc limit $4`,
    status === undefined ? values : [...values, status],
  )
  return rows
}
