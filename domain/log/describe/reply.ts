import type { ReplyEvent } from '../../conversation/reply-events.ts'
import { FAILED, quoted, sentence, writer } from './wording.ts'

const SOURCE = { automation: 'by itself', api: 'by a request' } as const

export function describeReply(event: ReplyEvent): string {
  switch (event.type) {
    case 'ReplyOpened': {
      const { source, platform, accountId, commentAuthor, commentText } = event.data
      const comment = `the comment by ${quoted(commentAuthor) || 'somebody'} on ${platform} (account ${accountId})`
      return sentence(`A reply to ${comment} was begun ${SOURCE[source]}`, quoted(commentText))
    }
    case 'DraftRequested': {
      const { automatic, context, instruction } = event.data
      const wish = context === undefined ? 'to write a draft' : 'to revise the draft'
      return sentence(
        `The AI was asked ${wish}, ${automatic ? 'to be sent by itself' : 'to be approved'}`,
        quoted(context) || quoted(instruction),
      )
    }
    case 'DraftWritten':
      return sentence(`The AI wrote a draft (${writer(event.data)})`, quoted(event.data.text))
    case 'DraftDeferred':
      return sentence(`Writing a draft failed, and was put off until ${event.data.retryAt}`, event.data.error)
    case 'DraftFailed':
      return sentence('Writing a draft failed', event.data.error)
    case 'DraftEdited':
      return sentence('The draft was edited', quoted(event.data.text))
    case 'ReviewRequired':
      return sentence('Not sent by itself, but left to be approved', event.data.reason)
    case 'ReplyApproved':
      return sentence('The reply was approved', quoted(event.data.text))
    case 'ReplyRejected':
      return 'The reply was rejected.'
    case 'ReplySuperseded':
      return sentence(`The draft was superseded by the reply ${event.data.replyId}`)
    case 'SendStarted':
      return sentence(`Began to send the reply (attempt ${event.data.attempt})`)
    case 'SendAnswerLost': {
      const { attempt, lookAt, error } = event.data
      return sentence(`The answer was lost (attempt ${attempt}), with a look for the reply set for ${lookAt}`, error)
    }
    case 'SendDeferred': {
      const { attempt, retryAt, error } = event.data
      return sentence(`Sending (attempt ${attempt}) failed, and was put off until ${retryAt}`, error)
    }
    case 'ReplySent': {
      const { platform, accountId, attempt, platformReplyId, url } = event.data
      return sentence(
        `Sent on ${platform} (account ${accountId}, attempt ${attempt})`,
        url ?? `its id there is ${platformReplyId}`,
      )
    }
    case 'ReplyFailed':
      return sentence(`Sending (attempt ${event.data.attempt}) ${FAILED[event.data.code]}`, event.data.error)
  }
}
