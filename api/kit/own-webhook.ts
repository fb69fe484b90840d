import { findWebhook, type WebhookRow } from '../../projections/models/webhooks.ts'
import { owned } from './owned.ts'
import type { Caller } from '../http/route.ts'
import type { Services } from './services.ts'

/** @throws Refusal not_found, or forbidden when it is another workspace's */
export async function ownWebhook({ db }: Services, id: string, caller: Caller): Promise<WebhookRow> {
  return owned(await findWebhook(db, id), caller, 'webhook')
}
