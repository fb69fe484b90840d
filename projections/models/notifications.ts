import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { notification } from '../../domain/notification/notification.ts'
import type { Notice } from '../../domain/notification/topic.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { integer, json, rowFrom, text, time, type RowOf } from '../engine/columns.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

export const NOTIFICATION_STATUSES = ['pending', 'sent', 'failed', 'unknown'] as const

const columns = {
  id: text(),
  workspaceId: text(),
  channelId: text(),
  status: text<(typeof NOTIFICATION_STATUSES)[number]>(),
  /** Of all messages, the latest last. */
  notices: json<readonly Notice[]>(),
  attempts: integer(),
  lastError: text<string | null>(),
  /** Null unless pending. */
  dueAt: time<string | null>(),
  /** When the last message was sent; null if none was. */
  sentAt: time<string | null>(),
  createdAt: time(),
}
export type NotificationRow = RowOf<typeof columns>

/** What was, or will be, sent to the channels. */
export const notifications: Projection<NotificationRow> = {
  name: 'notifications',
  version: 1,
  columns,
  createsRow: atStreamStart,
  indexes: ['(channel_id, created_at desc, id desc)', '(workspace_id, created_at)'],
  rowIds: (event) => (eventOf(notification, event) ? [parseStreamName(event.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(notification, recorded)
    const { at } = recorded.metadata
    if (event?.type === 'NotificationRaised') {
      const { workspaceId, channelId, notice, isFull, dueAt } = event.data
      const before = row ?? { attempts: 0, lastError: null, sentAt: null, createdAt: at, notices: [] }
      const notices = isFull ? before.notices : [...before.notices, notice]
      return { ...before, id, workspaceId, channelId, status: 'pending', notices, dueAt }
    }
    if (!row || !event) return row
    switch (event.type) {
      case 'NotificationStarted':
        return { ...row, attempts: event.data.attempt }
      case 'NotificationDeferred':
        return { ...row, lastError: event.data.error, dueAt: event.data.retryAt }
      case 'NotificationSent': {
        const { nextAt: dueAt = null } = event.data
        return { ...row, status: dueAt === null ? 'sent' : 'pending', dueAt, sentAt: at, lastError: null }
      }
      case 'NotificationFailed': {
        const { error: lastError, code, nextAt: dueAt = null } = event.data
        const status = dueAt !== null ? 'pending' : code === 'unknown' ? 'unknown' : 'failed'
        return { ...row, status, dueAt, lastError }
      }
      case 'NotificationDropped':
        return { ...row, status: 'failed', dueAt: null, lastError: 'The channel was removed.' }
    }
  },
}

const ROW = rowFrom(columns)

/** How many e-mail addresses of a workspace were asked to be confirmed since a time. @param since ISO 8601 UTC */
export async function confirmationsSince(db: Database, workspaceId: string, since: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from read.notifications
     where workspace_id = $1 and created_at > $2 and notices->0->>'topic' = 'confirmation'`,
    [workspaceId, since],
  )
  return rows[0]?.count ?? 0
}

/** What was sent to a channel, newest first. */
export async function listNotifications(
  db: Database,
  page: {
    readonly channelId: string
    readonly limit: number
    readonly after: { readonly at: string; readonly id: string } | undefined
  },
): Promise<readonly NotificationRow[]> {
  const { channelId, limit, after } = page
  const { rows } = await db.query<NotificationRow>(
    `select ${ROW} from read.notifications
     where channel_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3))
     order by created_at desc, id desc limit $4`,
    [channelId, after?.at ?? null, after?.id ?? null, limit],
  )
  return rows
}
