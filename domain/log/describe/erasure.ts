import type { ErasureEvent } from '../../workspace/erasure.ts'
import { counted, sentence } from './wording.ts'

export function describeErasure(event: ErasureEvent): string {
  if (event.type === 'ErasureFinished') {
    const { comments, replies, deliveries } = event.data
    const kinds = [counted(comments, 'comment'), counted(replies, 'reply', 'replies')]
    return `Erased the personal data of ${kinds.join(', ')} and ${counted(deliveries, 'delivery', 'deliveries')}.`
  }
  const { accountId, author, userId, before } = event.data
  if (userId !== undefined) return sentence(`Erasing the name of the user ${userId} was requested`)
  const about = [author !== undefined && ' by one author', accountId !== undefined && ` on account ${accountId}`]
  const filter = about.filter((part) => part !== false).join('')
  return sentence(`Erasing the personal data of comments${filter} received before ${before} was requested`)
}
