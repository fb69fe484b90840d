import type { QueuedPost } from './post.ts'

/** What would be queued. */
export type PreviewRequest = Pick<
  QueuedPost,
  'workspaceId' | 'mediaUrl' | 'mediaType' | 'selections' | 'caption' | 'captionOverrides' | 'hashtags'
>

/** What would become of a post on one account. */
export interface PreviewItem {
  readonly platform: string
  /** Absent for a platform that no account can be found for. */
  readonly accountId?: string
  /** The text as it would go out. */
  readonly caption: string
  /** What the media is, by its content; absent when it could not be fetched. */
  readonly media?: Readonly<Record<string, unknown>>
  readonly token?: {
    readonly status: 'ready' | 'resting' | 'needs_reauth'
    readonly restsUntil?: string
    readonly reason?: string
    /** When the access token ends; it is renewed before. */
    readonly expiresAt?: string
  }
  /** Every rule that would be broken, and every other reason why nothing would go out. */
  readonly problems: readonly string[]
}

/** Looks at a post without publishing anything. */
export type PreviewPost = (request: PreviewRequest) => Promise<readonly PreviewItem[]>
