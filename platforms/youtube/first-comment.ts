import * as z from 'zod'
import { hasStatus } from '../kit/errors.ts'
import { withToken } from '../kit/oauth-token.ts'
import type { FirstComment } from '../kit/first-comment.ts'
import { PlatformError, type PlatformIo, type PublishJob, type Search } from '../kit/platform.ts'
import { plainId } from '../kit/plain-id.ts'
import { bodyOf, send, type RestCall } from '../kit/rest.ts'
import { readable } from './comment.ts'
import { conversation } from './conversation.ts'
import { refused } from './errors.ts'
import { hostsOf } from './hosts.ts'
import { renewalAt } from './oauth.ts'
import { allowance, pageOf } from './page.ts'
import { sameText } from './text.ts'
import { PLAIN, thread } from './thread.ts'

/** A newly published video may not be available everywhere yet. */
const NOT_KNOWN_YET_MS = 10_000
/** 1,000 comments: more than accumulate while waiting for an answer. */
const MOST_PAGES = 10

const answer = z.object({ id: plainId })

/** A comment on the video, of which nothing is left once the video is deleted. */
export const firstComment: FirstComment = {
  of: 'option',
  check: conversation.check,
  proof: conversation.proof,
  visibleWithinMs: conversation.visibleWithinMs,
  post: async ({ account: { externalId: channelId, baseUrl } }, { postId: videoId }, { text }, io) => {
    const snippet = { channelId, videoId, topLevelComment: { snippet: { textOriginal: text } } }
    const url = `${hostsOf(baseUrl).api}/commentThreads?part=snippet`
    const call: RestCall = { method: 'POST', url, json: { snippet }, effect: 'visible' }
    try {
      await withToken(io, renewalAt(baseUrl), async (token) => {
        const response = await send('youtube', { ...call, token }, io)
        if (response.status < 200 || response.status > 299) throw refused(response, call.effect, io.clock)
        return bodyOf('youtube', call, response, answer)
      })
      return undefined
    } catch (error) {
      if (!hasStatus(error, 404)) throw error
      throw new PlatformError('retryable', error.message, { retryAfterMs: NOT_KNOWN_YET_MS, cause: error })
    }
  },
  find: (job, { postId }, { text }, io) => search(job, postId, text, io),
}

/** Our comment is the one of our channel with the same text: the video is no older than the post. */
async function search(
  { account }: PublishJob,
  videoId: string,
  text: string,
  io: PlatformIo,
): Promise<Search<undefined>> {
  const query = { part: 'snippet', videoId, order: 'time', ...PLAIN }
  const mayCall = allowance(MOST_PAGES)
  let isDoubtful = false
  let pageToken: string | undefined
  do {
    if (!mayCall()) return { outcome: 'unknown' }
    const page = await pageOf(account, 'commentThreads', query, pageToken, io)
    const threads = readable(thread, page.items)
    const same = threads.flatMap(({ top }) => (top && sameText(top.text, text) ? [top] : []))
    if (same.some(({ authorId }) => authorId === account.externalId)) return { outcome: 'found', found: undefined }
    isDoubtful ||= same.some(({ authorId }) => authorId === undefined) || threads.length < page.items.length
    isDoubtful ||= threads.some(({ top }) => top === undefined)
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
  return { outcome: isDoubtful ? 'unknown' : 'absent' }
}
