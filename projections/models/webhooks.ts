import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { PublicEventName } from '../../domain/webhook/public-event.ts'
import { webhook } from '../../domain/webhook/webhook.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { bigint, json, text, time, rowFrom, type RowOf } from '../engine/columns.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

const columns = {
  id: text(),
  workspaceId: text(),
  url: text(),
  events: json<readonly PublicEventName[]>(),
  /** Until when the previous secret also signs; null when it was never rotated. */
  previousSecretUntil: time<string | null>(),
  /** The log position of its registration: only later events are delivered. */
  registeredPosition: bigint(),
  createdAt: time(),
}
export type WebhookRow = RowOf<typeof columns>

/** Registered webhooks: a deleted one has no row. */
export const webhooks: Projection<WebhookRow> = {
  name: 'webhooks',
  version: 1,
  columns,
  createsRow: atStreamStart,
  indexes: ['(workspace_id, created_at desc, id desc)'],
  rowIds: (event) => (eventOf(webhook, event) ? [parseStreamName(event.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(webhook, recorded)
    switch (event?.type) {
      case 'WebhookRegistered': {
        const { workspaceId, url, events } = event.data
        const { position, metadata } = recorded
        return {
          id,
          workspaceId,
          url,
          events,
          previousSecretUntil: null,
          registeredPosition: String(position),
          createdAt: metadata.at,
        }
      }
      case 'WebhookSecretRotated':
        return row && { ...row, previousSecretUntil: event.data.previousUntil }
      case 'WebhookDeleted':
        return undefined
      case 'WebhookSummarized':
      case undefined:
        return row
    }
  },
}

export async function findWebhook(db: Database, id: string): Promise<WebhookRow | undefined> {
  const { rows } = await db.query<WebhookRow>(`select ${rowFrom(columns)} from read.webhooks where id = $1`, [id])
  return rows[0]
}
