import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { PublicEventName } from '../../domain/webhook/public-event.ts'
import { webhook } from '../../domain/webhook/webhook.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

export interface WebhookRow {
  readonly id: string
  readonly workspace_id: string
  readonly url: string
  readonly events: readonly PublicEventName[]
  /** Until when the previous secret also signs; null when it was never rotated. */
  readonly previous_secret_until: string | null
  /** The log position of its registration: only later events are delivered. */
  readonly registered_position: string
  readonly created_at: string
}

const COLUMNS = 'id, workspace_id, url, events, previous_secret_until, registered_position, created_at'

/** Registered webhooks: a deleted one has no row. */
export const webhooks: Projection<WebhookRow> = {
  name: 'webhooks',
  version: 1,
  columns: {
    id: 'text',
    workspace_id: 'text',
    url: 'text',
    events: 'json',
    previous_secret_until: 'timestamptz',
    registered_position: 'bigint',
    created_at: 'timestamptz',
  },
  makesAnew: atStreamStart,
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
          workspace_id: workspaceId,
          url,
          events,
          previous_secret_until: null,
          registered_position: String(position),
          created_at: metadata.at,
        }
      }
      case 'WebhookSecretRotated':
        return row && { ...row, previous_secret_until: event.data.previousUntil }
      case 'WebhookDeleted':
        return undefined
      case undefined:
        return row
    }
  },
}

export async function findWebhook(db: Database, id: string): Promise<WebhookRow | undefined> {
  const { rows } = await db.query<WebhookRow>(`select ${COLUMNS} from read.webhooks where id = $1`, [id])
  return rows[0]
}
