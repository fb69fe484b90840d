import type { ReplyEvent } from '../../conversation/reply-events.ts'
import { FAILED, quoted, sentence, writer } from './wording.ts'

const SOURCE = { automation: 'automatically', api: 'by a request' } as const

export function describeReply(event: ReplyEvent): string {
  switch (event.type) {
    case 'ReplyOpened': {
      const { source, platform, accountId, commentAuthor, commentText } = event.data
      const comment = `the comment by ${quoted(commentAuthor) || 'someone'} on ${platform} (account ${accountId})`
      return sentence(`A reply to ${comment} was started ${SOURCE[source]}`, quoted(commentText))
    }
    case 'DraftRequested': {
      const { automatic, context, instruction } = event.data
      const task = context === undefined ? 'to write a draft' : 'to revise the draft'
      return sentence(
        `The AI was asked ${task}, ${automatic ? 'to be sent automatically' : 'to be approved'}`,
        quoted(context) || quoted(instruction),
      )
    }
    case 'DraftWritten':
      return sentence(`The AI wrote a draft (${writer(event.data)})`, quoted(event.data.text))
    case 'DraftDeferred':
      return sentence(`Writing a draft failed and will be retried at ${event.data.retryAt}`, event.data.error)
    case 'DraftFailed':
      return sentence('Writing a draft failed', event.data.error)
    case 'DraftEdited':
      return sentence('The draft was edited', quoted(event.data.text))
    case 'ReviewRequired':
      return sentence('Not sent automatically, but held for approval', event.data.reason)
    case 'ReplyApproved':
      return sentence('The reply was approved', quoted(event.data.text))
    case 'ReplyRejected':
      return 'The reply was rejected.'
    case 'ReplySuperseded':
      return sentence(`The draft was superseded by the reply ${event.data.replyId}`)
    case 'SendProgressed':
      return sentence(`The platform is processing the reply, with the next check at ${event.data.lookAt}`)
    case 'SendStarted':
      return sentence(`Started sending the reply (attempt ${event.data.attempt})`)
    case 'SendAnswerLost': {
      const { attempt, lookAt, error } = event.data
      return sentence(`The response was lost (attempt ${attempt}), with a check for the reply at ${lookAt}`, error)
    }
    case 'SendDeferred': {
      const { attempt, retryAt, error } = event.data
      return sentence(`Sending (attempt ${attempt}) failed and will be retried at ${retryAt}`, error)
    }
    case 'ReplySent': {
      const { platform, accountId, attempt, platformReplyId, url } = event.data
      return sentence(
        `Sent on ${platform} (account ${accountId}, attempt ${attempt})`,
        url ?? `its id on the platform is ${platformReplyId}`,
      )
    }
    case 'ReplyFailed':
      return sentence(`Sending (attempt ${event.data.attempt}) ${FAILED[event.data.code]}`, event.data.error)
    case 'PersonalDataErased':
      return 'The texts of the reply and of its comment were erased.'
  }
}
