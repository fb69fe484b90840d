import { z } from 'zod'
import type { EventOf, StreamKind } from '../core/event.ts'
import { derivedUlid } from '../core/ids.ts'
import { PLATFORM_KEYS } from '../core/platform.ts'
import { text } from '../core/text.ts'

export const COMMENT_KINDS = ['comment', 'mention'] as const

/** What a reply needs beside the comment's id, by the names that the API has for it (api-spec §4, POST /comments/reply). */
export const REFERENCES = ['postUrn', 'rootUri', 'rootCid', 'commentCid'] as const

const reference = text(2000).optional()
export const references = z.object({
  postUrn: reference,
  rootUri: reference,
  rootCid: reference,
  commentCid: reference,
})
export type References = Readonly<z.infer<typeof references>>

/** What a platform demands of a reply. */
export interface ReplyRules {
  /** What one can't be sent without. */
  readonly requires: readonly (typeof REFERENCES)[number][]
  /** Every rule that a reply's text breaks, each as a sentence that names limit and value. Pure. */
  check(text: string): readonly string[]
}

/** A comment by the platform's own names. */
export const commentKey = {
  workspaceId: z.string(),
  platform: z.enum(PLATFORM_KEYS),
  accountId: z.string(),
  /** The platform's own. */
  commentId: text(1000),
}

const events = {
  /** It was fetched for the first time. `replied`: the account had answered it already. */
  CommentReceived: z.object({
    ...commentKey,
    kind: z.enum(COMMENT_KINDS),
    postId: text(1000).optional(),
    author: text(200),
    authorId: text(500).optional(),
    text: text(10_000),
    createdAt: z.iso.datetime(),
    references,
    replied: z.boolean(),
  }),
  /** The account has answered it on the platform itself. */
  CommentAnswered: z.object({}),
  CommentDismissed: z.object({}),
  /** A draft of a reply is opened: the one that everybody works on until it is decided on. */
  DraftOpened: z.object({ replyId: z.string() }),
  /** A reply is about to be sent, by hand or from a draft. */
  ReplyClaimed: z.object({ replyId: z.string() }),
}

export type CommentEvent = EventOf<typeof events>
export type CommentContent = Extract<CommentEvent, { type: 'CommentReceived' }>['data']

export type CommentState = { readonly status: 'absent' } | ReceivedComment

export interface ReceivedComment extends CommentContent {
  readonly status: 'received'
  readonly dismissed: boolean
  /** The draft opened last, and how many claims there were before it. */
  readonly draft?: { readonly replyId: string; readonly claims: number }
  readonly claims: readonly { readonly replyId: string; readonly at: string }[]
}

/** One for each account that it reached: the account's id here, and the comment's on its platform. */
export function commentStreamId(accountId: string, commentId: string): string {
  return `com_${derivedUlid('comment', accountId, commentId)}`
}

/** What somebody wrote to an account (decisions, "Replies and comments"). Replies have streams of their own (`reply.ts`). */
export const comment: StreamKind<CommentState, CommentEvent> = {
  category: 'comment',
  events,
  initial: { status: 'absent' },
  evolve: (state, event, { at }): CommentState => {
    if (event.type === 'CommentReceived') return { ...event.data, status: 'received', dismissed: false, claims: [] }
    if (state.status === 'absent') return state
    switch (event.type) {
      case 'CommentAnswered':
        return { ...state, replied: true }
      case 'CommentDismissed':
        return { ...state, dismissed: true }
      case 'DraftOpened':
        return { ...state, draft: { replyId: event.data.replyId, claims: state.claims.length } }
      case 'ReplyClaimed':
        return { ...state, claims: [...state.claims, { replyId: event.data.replyId, at }] }
    }
  },
}
