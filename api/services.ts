import type { CommandDeps } from '../commands/handle.ts'
import type { Database } from '../database/pool.ts'
import type { WebhookSecrets } from '../database/webhook-secrets.ts'
import type { PlatformKey } from '../domain/platform.ts'
import type { PreviewPost } from '../domain/post-preview.ts'
import type { RefuseAddress } from '../domain/webhook.ts'
import type { ReplyRules } from '../domain/comment.ts'
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
  /** How long (ms) a request waits for a reply to be written or sent. */
  readonly replyPatienceMs: number
  /** How comments of a platform are answered; undefined where they are not. */
  replyRulesOf(platform: PlatformKey): ReplyRules | undefined
}
