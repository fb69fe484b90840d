import type { DraftEvent } from '../../post/draft.ts'
import { quoted, sentence } from './wording.ts'

export function describeDraft(event: DraftEvent): string {
  switch (event.type) {
    case 'DraftSaved': {
      const { visibility, content } = event.data
      const readers = visibility === 'private' ? 'its author' : 'the workspace'
      return sentence(`The draft was saved for ${readers}`, quoted(content.caption ?? ''))
    }
    case 'DraftPublished':
      return sentence('The draft became a post', event.data.postId)
    case 'DraftDeleted':
      return 'The draft was deleted.'
  }
}
