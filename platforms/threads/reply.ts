import * as z from 'zod'
import type { ReplyJob, SentReply } from '../kit/conversation.ts'
import { newContainer } from '../meta/container.ts'
import type { Session } from '../meta/graph.ts'
import { mustHaveQuota, REPLIES } from '../meta/quota.ts'
import { submit } from '../meta/submit.ts'
import { PlatformError, type PlatformIo } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { api, graph, is } from './api.ts'
import { readContainer } from './container.ts'
import { withSession } from './session.ts'
import { plainId } from '../kit/plain-id.ts'

/** Delays between looks at a text container. With all calls they end within the guard's 30 s. */
const LOOKS_MS = [1_000, 2_000, 3_000, 4_000, 5_000]
/** A container published as soon as it is finished is often unknown. */
const SETTLE_MS = 2_000
/** Delay before the next attempt. */
const AGAIN_MS = 30_000

const written = z.object({ username: z.string().optional(), root_post: z.object({ id: plainId }).optional() })

/**
 * Creates a text container and publishes it: only the latter is visible. A failed container is never seen, and expires.
 *
 * @throws PlatformError
 */
export function reply({ account, commentId, text }: ReplyJob, io: PlatformIo): Promise<SentReply> {
  const path = `/${account.externalId}`
  return withSession(account, io, async (session) => {
    await mustHaveQuota(api, REPLIES, `${path}/threads_publishing_limit`, session, io)
    const form = { media_type: 'TEXT', text, reply_to_id: commentId }
    const containerId = await newContainer(api, { path: `${path}/threads`, form }, [], session, io).catch(
      async (error: unknown) => {
        if (is(error, 'permission', 'permission or failure') && (await isElsewhere(commentId, session, io)))
          throw notAllowed(error)
        throw error
      },
    )
    await finished(containerId, session, io)
    const { postId: replyId, url } = await submit(api, `${path}/threads_publish`, containerId, session, io)
    return { replyId, ...(url !== undefined && { url }) }
  })
}

/** @throws PlatformError when it fails, or is not finished in time */
async function finished(containerId: string, session: Session, io: RestIo): Promise<void> {
  for (const waitMs of LOOKS_MS) {
    await io.clock.sleep(waitMs, io.signal)
    if (io.signal.aborted) break
    const state = await readContainer(containerId, session, io)
    if (state.is === 'finished') return io.clock.sleep(SETTLE_MS, io.signal)
    if (state.is === 'failed') throw new PlatformError(state.again > 0 ? 'retryable' : 'permanent', state.why)
    // This attempt has not published it yet, so something else has.
    if (state.is === 'published') throw new PlatformError('ambiguous', 'Threads has already published the reply.')
  }
  throw new PlatformError('retryable', 'Threads is still processing the reply.', { retryAfterMs: AGAIN_MS })
}

/** Whether a comment is under someone else's post, which may not be readable either. */
async function isElsewhere(commentId: string, session: Session, io: RestIo): Promise<boolean> {
  const read = (id: string, fields: string) =>
    graph(session, { method: 'GET', path: `/${id}`, query: { fields } }, written, io).catch(() => undefined)
  const comment = await read(commentId, 'id,username,root_post{id}')
  const root = comment?.root_post ? await read(comment.root_post.id, 'id,username') : comment
  const us = await read('me', 'id,username')
  return us !== undefined && us.username !== root?.username
}

function notAllowed(cause: unknown): PlatformError {
  const message =
    "Threads allows replies under the account's own posts. Replying elsewhere requires further permissions."
  return new PlatformError('permanent', message, { cause })
}
