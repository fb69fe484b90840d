import { Refusal } from '../domain/errors.ts'
import { findWebhook, type WebhookRow } from '../projections/webhooks.ts'
import type { Caller } from './route.ts'
import type { Services } from './services.ts'

/** @throws Refusal not_found, or forbidden when it is another workspace's */
export async function ownWebhook({ db }: Services, id: string, { workspaceId }: Caller): Promise<WebhookRow> {
  const row = await findWebhook(db, id)
  if (!row) throw new Refusal('not_found', 'No such webhook.')
  if (row.workspace_id === workspaceId) return row
  throw new Refusal('forbidden', 'This webhook belongs to someone else.')
}
