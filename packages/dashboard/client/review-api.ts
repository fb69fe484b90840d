import { ask } from './session-api.ts'
import type { Approval, MediaType } from './types.ts'

/* What somebody without an account sees and does by the link to one post. */

interface SharedMedia {
  readonly url: string
  readonly type: MediaType
  readonly altText?: string
}

export interface SharedPost extends Pick<Approval, 'status' | 'version' | 'publishes' | 'changes'> {
  readonly workspace: { readonly name: string }
  readonly mayDecide: boolean
  readonly expiresAt: string
  readonly scheduledAtUtc: string
  readonly caption: string
  /** By the name of the platform. */
  readonly captionOverrides: Readonly<Record<string, string>>
  readonly hashtags: readonly string[]
  readonly firstComment?: string
  readonly media: readonly SharedMedia[]
  readonly parts: readonly { readonly text: string; readonly media: readonly SharedMedia[] }[]
  readonly accounts: readonly { readonly platform: string; readonly label: string }[]
  readonly remarks: readonly (Omit<Approval['remarks'][number], 'by'> & { readonly by: string })[]
}

export interface GuestReview {
  readonly name: string
  readonly version: number
  readonly decision: 'approve' | 'request-changes' | 'reject' | 'comment'
  readonly comment?: string
}

export const reviewApi = {
  post: (token: string) => ask<SharedPost>('POST', '/review-link', { token }),
  review: (token: string, review: GuestReview) =>
    ask<{ readonly status?: string }>('POST', '/review', { token, ...review }),
}
