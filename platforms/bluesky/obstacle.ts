import * as z from 'zod'
import { hasCode } from '../kit/errors.ts'
import { PlatformError } from '../kit/platform.ts'
import type { Session } from './session.ts'
import { xrpc, type XrpcIo } from './xrpc.ts'

/** Milliseconds to wait for the app; a reply can be written without its answer. */
const LOOK_UP_TIMEOUT_MS = 5_000

const threadSchema = z.object({
  thread: z.object({
    $type: z.string(),
    post: z.object({ viewer: z.object({ replyDisabled: z.boolean().default(false) }).optional() }).optional(),
  }),
})

const GONE = 'The comment is no longer on Bluesky.'

/**
 * Why a reply to this post would be invisible. The account's server accepts replies to anything; the app then hides those
 * that are not allowed.
 *
 * @returns undefined if nothing blocks the reply, or the app cannot be asked now: the write itself will report the reason
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
      ? 'The author of the thread does not allow replies from this account.'
      : undefined
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    return hasCode(error, 'NotFound') ? GONE : undefined
  }
}
