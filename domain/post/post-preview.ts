import type { QueuedPost } from './post.ts'

/** What would be queued. */
export type PreviewRequest = Pick<
  QueuedPost,
  | 'workspaceId'
  | 'mediaUrl'
  | 'mediaType'
  | 'media'
  | 'chain'
  | 'selections'
  | 'caption'
  | 'captionOverrides'
  | 'hashtags'
  | 'firstComment'
  | 'platformOptions'
  | 'accountOptions'
>

/** The expected outcome of a post on one account. */
export interface PreviewItem {
  readonly platform: string
  /** Absent for a platform without an account. */
  readonly accountId?: string
  /** The text that would be published. */
  readonly caption: string
  /** What the post sets on the account: the options of its platform, and over them its own. Absent if there are none. */
  readonly options?: Readonly<Record<string, unknown>>
  /** The media's properties, read from its content; absent when it could not be fetched. */
  readonly media?: Readonly<Record<string, unknown>>
  /** The same of each item, in order, where there are several; null for one that could not be fetched. */
  readonly items?: readonly (Readonly<Record<string, unknown>> | null)[]
  /** What is done to the media before they are sent, as sentences. */
  readonly changes?: readonly string[]
  readonly token?: {
    readonly status: 'ready' | 'resting' | 'needs_reauth'
    readonly restsUntil?: string
    readonly reason?: string
    /** When the access token expires; it is renewed before. */
    readonly expiresAt?: string
  }
  /** Every rule that would be broken, and every other reason why nothing would be published. */
  readonly problems: readonly string[]
  /** What the platform may refuse or change, although no rule forbids it, and why it currently refuses posts of the account. */
  readonly warnings: readonly string[]
  /** What the platform charges for it; absent where it is free. */
  readonly cost?: PreviewCost
}

export interface PreviewCost {
  /** In US dollars. */
  readonly usd: number
  /** What is charged for, plural. */
  readonly kind: string
  /** When the price was last checked, an ISO 8601 date. */
  readonly asOf: string
}

/** Checks a post without publishing anything. */
export type PreviewPost = (request: PreviewRequest) => Promise<readonly PreviewItem[]>
