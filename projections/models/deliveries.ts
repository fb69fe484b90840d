import { delivery, type DeliveryContent, type DeliveryEvent } from '../../domain/webhook/delivery.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { integer, json, text, time, rowFrom, type RowOf } from '../engine/columns.ts'
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

const columns = {
  id: text(),
  workspaceId: text(),
  webhookId: text(),
  event: text<DeliveryContent['event']>(),
  eventId: text(),
  status: text<DeliveryStatus>(),
  attempts: integer(),
  /** The error of the last failed attempt; null when none failed. */
  lastError: text<string | null>(),
  /** The latest attempts, oldest first. */
  attemptLog: json<readonly DeliveryTry[]>(),
  /** Null unless pending. */
  nextAttemptAt: time<string | null>(),
  createdAt: time(),
}
export type DeliveryRow = RowOf<typeof columns>

/** Attempts kept per delivery: one that is resent repeatedly must not grow without bound. */
const KEPT_TRIES = 50

const ROW = rowFrom(columns)

export const deliveries: Projection<DeliveryRow> = {
  name: 'deliveries',
  version: 2,
  columns,
  createsRow: atStreamStart,
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
    workspaceId,
    webhookId,
    event,
    eventId,
    createdAt: at,
    status: 'pending',
    attempts: 0,
    lastError: null,
    attemptLog: [],
    nextAttemptAt: at,
  }
}

function change(
  row: DeliveryRow,
  event: Exclude<DeliveryEvent, { type: 'DeliveryQueued' }>,
  at: string,
): Partial<DeliveryRow> {
  const ended = { nextAttemptAt: null }
  switch (event.type) {
    case 'DeliveryStarted':
      return {}
    case 'DeliverySucceeded':
      return { ...tried(row, event.data, at), ...ended, status: 'delivered' }
    case 'DeliveryDeferred':
      return { ...tried(row, event.data, at), nextAttemptAt: event.data.nextAttemptAt }
    case 'DeliveryFailed':
      return { ...tried(row, event.data, at), ...ended, status: 'failed' }
    case 'DeliveryResendRequested':
      return { status: 'pending', nextAttemptAt: at }
    case 'DeliveryCancelled':
      return { ...ended, status: 'failed', lastError: 'the webhook was deleted' }
    case 'PersonalDataErased':
      return row.status === 'pending' ? { ...ended, status: 'failed', lastError: 'its content was erased' } : {}
  }
}

function tried(
  { attemptLog, lastError }: DeliveryRow,
  data: { readonly attempt: number; readonly error?: string } & Pick<DeliveryTry, 'statusCode' | 'durationMs'>,
  at: string,
): Partial<DeliveryRow> {
  const { attempt, statusCode, error = null, durationMs } = data
  const log = [...attemptLog, { at, statusCode, error, durationMs }].slice(-KEPT_TRIES)
  return { attempts: attempt, lastError: error ?? lastError, attemptLog: log }
}

export async function findDelivery(db: Database, id: string): Promise<DeliveryRow | undefined> {
  const { rows } = await db.query<DeliveryRow>(`select ${ROW} from read.deliveries where id = $1`, [id])
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
    `select ${ROW} from read.deliveries
     where webhook_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3))
       ${status === undefined ? '' : 'and status = $5'}
     order by created_at desc, id desc limit $4`,
    status === undefined ? values : [...values, status],
  )
  return rows
}
