import type { Detail } from '../core/errors.ts'
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
  /** Of that text. Absent where there is no account. */
  readonly textLength?: PreviewLength
  /** What people see as its title; absent where there is none. */
  readonly title?: string
  /** The text of the first comment, if it would get one. */
  readonly firstComment?: string
  /** Of a chain: the parts from the second on. */
  readonly parts?: readonly { readonly text: string; readonly textLength?: PreviewLength | undefined }[]
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
  /** The same, with the fields that they are about. */
  readonly details: readonly PreviewProblem[]
  /** What the platform may refuse or change, although no rule forbids it, and why it currently refuses posts of the account. */
  readonly warnings: readonly string[]
  /** What the platform charges for it; absent where it is free. */
  readonly cost?: PreviewCost
}

/** As the platform counts. */
export interface PreviewLength {
  readonly length: number
  readonly limit: number
  readonly unit: 'characters' | 'bytes'
}

export interface PreviewProblem extends Detail {
  /** Whether there was no time to look: publishing takes more, and may find none. */
  readonly unchecked?: true
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
