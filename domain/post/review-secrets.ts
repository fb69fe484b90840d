import type { StreamKind } from '../core/event.ts'
import { postFormat, type PostEvent } from './post-events.ts'

/** What recognizes the links of a post, also once it is no longer scheduled. No read model has it. */
export interface ReviewSecrets {
  readonly links: readonly ReviewSecret[]
  /** Why none of them is of use any longer. */
  readonly over?: 'published' | 'cancelled' | 'rejected'
}

export interface ReviewSecret {
  readonly linkId: string
  readonly secretHash: string
  readonly expiresAt: string
  readonly isRevoked: boolean
}

export const reviewSecrets: StreamKind<ReviewSecrets, PostEvent> = {
  ...postFormat,
  initial: { links: [] },
  evolve: (state, event) => {
    switch (event.type) {
      case 'ReviewLinkCreated': {
        const { linkId, secretHash, expiresAt } = event.data
        const others = state.links.filter((link) => link.linkId !== linkId)
        return { ...state, links: [...others, { linkId, secretHash, expiresAt, isRevoked: false }] }
      }
      case 'ReviewLinkRevoked': {
        const { linkId } = event.data
        return {
          ...state,
          links: state.links.map((link) => (link.linkId === linkId ? { ...link, isRevoked: true } : link)),
        }
      }
      case 'ApprovalDecided':
        return event.data.decision === 'rejected' ? { ...state, over: 'rejected' } : state
      case 'ScheduleCancelled':
        return { over: 'cancelled', ...state }
      case 'PostQueued':
        return { ...state, over: 'published' }
      default:
        return state
    }
  },
}
