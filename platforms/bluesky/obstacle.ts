import { z } from 'zod'
import { BlueskyError } from './errors.ts'
import type { Session } from './session.ts'
import { xrpc, type XrpcIo } from './xrpc.ts'

/** Milliseconds to wait for the app: a reply can be written without it. */
const LOOK_UP_TIMEOUT_MS = 5_000

const threadSchema = z.object({
  thread: z.object({
    $type: z.string(),
    post: z.object({ viewer: z.object({ replyDisabled: z.boolean().default(false) }).optional() }).optional(),
  }),
})

const GONE = 'The comment is not on Bluesky any more.'

/**
 * Why nobody would see an answer to this post. The server of accounts takes answers to anything, and the app then shows
 * nothing of them.
 *
 * @returns undefined when nothing is in the way, or the app can't be asked now: the call that writes will tell the reason
 */
export async function obstacleTo(uri: string, session: Session, io: XrpcIo): Promise<string | undefined> {
  const { host, accessJwt: token } = session
  const nsid = 'app.bsky.feed.getPostThread'
  const query = { uri, depth: '0', parentHeight: '0' }
  const call = { host, method: 'GET', nsid, token, query, timeoutMs: LOOK_UP_TIMEOUT_MS } as const
  try {
    const { thread } = await xrpc(call, threadSchema, io)
    if (thread.$type.endsWith('#notFoundPost')) return GONE
    if (thread.$type.endsWith('#blockedPost')) return 'One of the two accounts has blocked the other on Bluesky.'
    return thread.post?.viewer?.replyDisabled
      ? 'Who began the thread does not let this account answer in it.'
      : undefined
  } catch (error) {
    if (!(error instanceof BlueskyError)) throw error
    return error.refusal === 'NotFound' ? GONE : undefined
  }
}
