import type { EditRules } from '../../commands/edit-published.ts'
import type { CommandDeps } from '../../commands/handle.ts'
import type { MediaRoom } from '../../commands/media-room.ts'
import type { Surface } from '../../infra/runtime/surfaces.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Passwords } from '../../infra/postgres/passwords.ts'
import type { Vault } from '../../infra/postgres/vault.ts'
import type { WebhookSecrets } from '../../infra/postgres/webhook-secrets.ts'
import type { ErasedCounts, ErasureFilter } from '../../domain/workspace/erasure.ts'
import type { Capability } from '../../domain/account/capability.ts'
import type { DestinationsOf } from '../../domain/account/destination.ts'
import type { MonthCosts } from '../../domain/account/month-costs.ts'
import type { Prices } from '../../domain/post/prices.ts'
import type { LiveNumbers } from '../../domain/analytics/live-numbers.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import type { ForecastPosts } from '../../domain/post/forecast.ts'
import type { PreviewPost } from '../../domain/post/post-preview.ts'
import type { RefuseAddress } from '../../domain/webhook/webhook.ts'
import type { ReplyRules } from '../../domain/conversation/comment.ts'
import type { UploadServices } from '../../domain/media/uploads.ts'
import type { VideoPrices } from '../../domain/video/video-plan.ts'
import type { Ceilings } from '../../projections/models/ceilings.ts'
import type { Seen } from '../../projections/engine/seen.ts'
import type { Cursors } from '../http/pagination.ts'

/** What the route handlers depend on. */
export interface Services extends CommandDeps {
  readonly db: Database
  readonly seen: Seen
  /** Where browsers reach the service, without a trailing slash. */
  readonly url: () => string
  readonly cursors: Cursors
  readonly ceilings: Ceilings
  readonly mediaRoom: MediaRoom
  readonly previewPost: PreviewPost
  readonly forecastPosts: ForecastPosts
  /** From where the same content is not posted to an account twice within 24 hours, unless a request allows it. */
  readonly refuseDuplicates: readonly Surface[]
  readonly webhookSecrets: WebhookSecrets
  readonly refuseAddress: RefuseAddress
  readonly vault: Pick<Vault, 'put' | 'remove'>
  readonly passwords: Passwords
  /** Whether there is a server for e-mail. */
  readonly sendsMail: boolean
  /** How long (ms) a request waits for a reply to be written or sent. */
  readonly replyPatienceMs: number
  /** The rules for replies on a platform; undefined when it has no replies. */
  replyRulesOf(platform: PlatformKey): ReplyRules | undefined
  /** Whether the platform's API can delete posts. */
  canUnpublish(platform: PlatformKey): boolean
  /** What can be edited once a post is published; undefined when the platform's API cannot edit posts. */
  editRulesOf(platform: PlatformKey): EditRules | undefined
  readonly videos: VideoServices
  readonly uploads: UploadServices
  readonly liveNumbers: LiveNumbers
  /** Why the account's access is known not to cover a capability; undefined if it may. */
  whyNotAllowed(
    account: { readonly id: string; readonly platform: PlatformKey },
    capability: Capability,
  ): Promise<string | undefined>
  readonly monthCosts: MonthCosts
  readonly prices: Prices
  /** What calls for an account cost; undefined if they are free. */
  costsOf(account: { readonly platform: PlatformKey; readonly baseUrl?: string | undefined }): object | undefined
  readonly erasableKeys: ErasableKeys
  readonly destinationsOf: DestinationsOf
  /** Its URL, and where it shows a post; undefined when there is no sandbox. */
  readonly sandbox: { readonly url: string; pageOf(platform: PlatformKey, postId: string): string } | undefined
}

/** What can be erased, and what has been (`event-log/postgres/erasable-keys.ts`). */
export interface ErasableKeys {
  /** A hash of an author's name or id that only the workspace can compute. */
  authorHash(workspaceId: string, author: string): Promise<string>
  count(filter: ErasureFilter): Promise<ErasedCounts>
  erased(workspaceId: string, erasureId: string): Promise<ErasedCounts>
}

/** What can be rendered, and at what price. */
export interface VideoServices {
  readonly prices: VideoPrices
  /** What has a configured provider. */
  readonly generates: { readonly video: boolean; readonly speech: boolean }
  /** The available voices, if they are known in advance. */
  readonly voices: readonly string[] | undefined
  /** The public URL of a file in the media store. */
  urlOf(file: string): string
}
