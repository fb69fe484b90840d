import type { CommandDeps } from '../commands/handle.ts'
import type { Database } from '../database/pool.ts'
import type { WebhookSecrets } from '../database/webhook-secrets.ts'
import type { PreviewPost } from '../domain/post-preview.ts'
import type { RefuseAddress } from '../domain/webhook.ts'
import type { Seen } from '../projections/seen.ts'
import type { Cursors } from './pagination.ts'

/** What the routes' handlers work with. */
export interface Services extends CommandDeps {
  readonly db: Database
  readonly seen: Seen
  readonly cursors: Cursors
  readonly previewPost: PreviewPost
  readonly webhookSecrets: WebhookSecrets
  readonly refuseAddress: RefuseAddress
}
