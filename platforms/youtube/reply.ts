import * as z from 'zod'
import type { ReplyJob, SentReply } from '../kit/conversation.ts'
import { withToken } from '../kit/oauth-token.ts'
import { PlatformError, type PlatformIo } from '../kit/platform.ts'
import { bodyOf, send, type RestCall } from '../kit/rest.ts'
import { refused } from './errors.ts'
import { hostsOf } from './hosts.ts'
import { threadIdOf, threadOf, type Thread } from './thread.ts'
import { renewalAt } from './oauth.ts'
import { plainId } from '../kit/plain-id.ts'

const replyAnswer = z.object({ id: plainId })

/**
 * Replies to a comment. A reply to a reply goes to the thread's first comment, as YouTube knows no other kind. Checks the
 * thread first: a refused reply costs as much quota as an accepted one, 50 times the check.
 *
 * @throws PlatformError, `ambiguous` if YouTube may have accepted it
 */
export async function sendReply({ account, commentId, text }: ReplyJob, io: PlatformIo): Promise<SentReply> {
  const thread = await threadOf(commentId, account, io)
  if (thread?.canReply === false) {
    throw new PlatformError('permanent', 'YouTube does not accept replies to this comment.')
  }
  const call: RestCall = {
    method: 'POST',
    url: `${hostsOf(account.baseUrl).api}/comments?part=snippet`,
    json: { snippet: { parentId: threadIdOf(commentId), textOriginal: text } },
    effect: 'visible',
  }
  const { id } = await withToken(io, renewalAt(account.baseUrl), async (token) => {
    const response = await send('youtube', { ...call, token }, io)
    if (response.status < 200 || response.status > 299) throw refused(response, call.effect, io.clock)
    return bodyOf('youtube', call, response, replyAnswer)
  })
  return sentReply(id, thread)
}

export function sentReply(replyId: string, thread: Thread | undefined): SentReply {
  if (thread?.videoId === undefined) return { replyId }
  const query = new URLSearchParams({ v: thread.videoId, lc: replyId })
  return { replyId, url: `https://www.youtube.com/watch?${query}` }
}
