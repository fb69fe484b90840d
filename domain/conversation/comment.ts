import * as z from 'zod'
import { unchanged, type EventOf, type StreamKind } from '../core/event.ts'
import { derivedUlid } from '../core/ids.ts'
import { PLATFORM_KEYS } from '../core/platform.ts'
import { ERASED, personalDataErased, type ErasedFields } from '../core/personal-data.ts'
import { text } from '../core/text.ts'

export const COMMENT_KINDS = ['comment', 'mention'] as const

/** What a reply may need besides the comment's id, by API field name (api-spec §4, POST /comments/reply). */
export const REFERENCES = ['postUrn', 'rootUri', 'rootCid', 'commentCid'] as const

const reference = text(2000).optional()
export const references = z.object({
  postUrn: reference,
  rootUri: reference,
  rootCid: reference,
  commentCid: reference,
})
export type References = Readonly<z.infer<typeof references>>

/** A platform's requirements for a reply. */
export interface ReplyRules {
  /** References that a reply cannot be sent without. */
  readonly requires: readonly (typeof REFERENCES)[number][]
  /** Every rule that the text breaks, each as a sentence with limit and value. Pure. */
  check(text: string): readonly string[]
}

/** Identifies a comment on its platform. */
export const commentKey = {
  workspaceId: z.string(),
  platform: z.enum(PLATFORM_KEYS),
  accountId: z.string(),
  /** The platform's id. */
  commentId: text(1000),
}

const events = {
  /** The comment was fetched for the first time. `replied`: the account had already replied. */
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
  /** The account replied on the platform itself. */
  CommentAnswered: z.object({}),
  CommentDismissed: z.object({}),
  /** A user of the workspace is to see to it; null: nobody in particular. */
  CommentAssigned: z.object({ assigneeId: z.string().nullable() }),
  /** A reply draft was opened: the comment's shared draft until it is decided on. */
  DraftOpened: z.object({ replyId: z.string() }),
  /** A reply is about to be sent, by request or from a draft. */
  ReplyClaimed: z.object({ replyId: z.string() }),
  PersonalDataErased: personalDataErased,
}

export type CommentEvent = EventOf<typeof events>
export type CommentContent = Extract<CommentEvent, { type: 'CommentReceived' }>['data']

export type CommentState = { readonly status: 'absent' } | ReceivedComment

export interface ReceivedComment extends CommentContent {
  readonly status: 'received'
  readonly dismissed: boolean
  readonly isErased?: true
  /** May have left the workspace since. */
  readonly assigneeId?: string | null
  /** The last draft opened, and the number of claims before it. */
  readonly draft?: { readonly replyId: string; readonly claims: number }
  readonly claims: readonly { readonly replyId: string; readonly at: string }[]
}

/** One stream per account that the comment reached: `commentId` is the platform's id. */
export function commentStreamId(accountId: string, commentId: string): string {
  return `com_${derivedUlid('comment', accountId, commentId)}`
}

/** A comment on an account (decisions, "Replies and comments"). Replies have their own streams (`reply.ts`). */
export const comment: StreamKind<CommentState, CommentEvent> = {
  category: 'comment',
  events,
  // Version 2 may be of a platform that was added since.
  upcasters: { CommentReceived: [unchanged] },
  personal: {
    erased: {
      CommentReceived: { author: ERASED, authorId: undefined, text: ERASED },
    } satisfies ErasedFields<typeof events>,
    begins: 'CommentReceived',
    subjectOf: (begin) => {
      const { workspaceId, accountId, commentId, author, authorId } = begin as CommentContent
      return { workspaceId, accountId, commentId: commentStreamId(accountId, commentId), author, authorId }
    },
  },
  initial: { status: 'absent' },
  evolve: (state, event, { at }): CommentState => {
    if (event.type === 'CommentReceived') return { ...event.data, status: 'received', dismissed: false, claims: [] }
    if (state.status === 'absent') return state
    switch (event.type) {
      case 'CommentAnswered':
        return { ...state, replied: true }
      case 'CommentDismissed':
        return { ...state, dismissed: true }
      case 'CommentAssigned':
        return { ...state, assigneeId: event.data.assigneeId }
      case 'DraftOpened':
        return { ...state, draft: { replyId: event.data.replyId, claims: state.claims.length } }
      case 'ReplyClaimed':
        return { ...state, claims: [...state.claims, { replyId: event.data.replyId, at }] }
      case 'PersonalDataErased': {
        const { authorId: _, ...rest } = state
        return { ...rest, author: ERASED, text: ERASED, isErased: true }
      }
    }
  },
}
