import type { CommentEvent } from '../../conversation/comment.ts'
import { quoted, sentence } from './wording.ts'

export function describeComment(event: CommentEvent): string {
  switch (event.type) {
    case 'CommentReceived': {
      const { kind, platform, accountId, author, text, replied } = event.data
      const answered = replied ? ', already replied to' : ''
      const from = `by ${quoted(author) || 'someone'} on ${platform} (account ${accountId})`
      return sentence(`A ${kind} ${from} was received${answered}`, quoted(text))
    }
    case 'CommentAnswered':
      return 'The comment was replied to on the platform itself.'
    case 'CommentDismissed':
      return 'The comment was dismissed.'
    case 'CommentAssigned': {
      const { assigneeId } = event.data
      return assigneeId === null
        ? 'The comment was assigned to nobody.'
        : sentence(`The comment was assigned to ${assigneeId}`)
    }
    case 'DraftOpened':
      return sentence(`The draft ${event.data.replyId} was opened`)
    case 'ReplyClaimed':
      return sentence(`The reply ${event.data.replyId} was started`)
    case 'PersonalDataErased':
      return 'The author and the text of the comment were erased.'
  }
}
