import * as z from 'zod'
import type { ReplyJob, SentReply } from '../kit/conversation.ts'
import type { Session } from '../meta/graph.ts'
import { REPLIES, usageOf } from '../meta/quota.ts'
import { replyAmong, sentFrom, type Written } from '../meta/sent-reply.ts'
import { time } from '../meta/time.ts'
import type { PlatformIo, Search } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { api, pages } from './api.ts'
import { withSession } from './session.ts'
import { plainId } from '../kit/plain-id.ts'
import { metaAddress } from '../meta/post-list.ts'

const PAGE = 100

const written = z.object({
  id: plainId,
  text: z.string().catch(''),
  timestamp: time,
  permalink: z.string().optional(),
  replied_to: z.object({ id: plainId }).optional(),
})

/**
 * Looks for the reply among all replies of the account.
 *
 * @throws PlatformError
 */
export function findReply(job: ReplyJob, io: PlatformIo): Promise<Search<SentReply>> {
  const { account, commentId } = job
  return withSession(account, io, async (session) => {
    const from = sentFrom(job)
    const query = { fields: 'id,text,timestamp,permalink,replied_to{id}' }
    const edge = { path: `/${account.externalId}/replies`, query, item: written, limit: PAGE }
    const there: Written[] = []
    let last: number | undefined
    for await (const page of pages(edge, (work) => work(session), io)) {
      last = page.at(-1)?.timestamp ?? last
      there.push(
        ...page
          .filter(({ replied_to }) => replied_to?.id === commentId)
          .map(({ id, text, timestamp: at, permalink }) => ({
            ...{ id, text, at, isOurs: true },
            ...metaAddress(permalink, session),
          })),
      )
      if (last !== undefined && last < from) break
    }
    if (last !== undefined) return replyAmong(there, [job.text], job)
    return { outcome: (await hasNoReplies(account.externalId, session, io)) ? 'absent' : 'unknown' }
  })
}

/**
 * Whether an empty list of replies is true. Without the permission it is empty as well, without an error; the daily quota counts
 * all the same.
 *
 * @throws PlatformError
 */
export async function hasNoReplies(accountId: string, session: Session, io: RestIo): Promise<boolean> {
  return (await usageOf(api, REPLIES, `/${accountId}/threads_publishing_limit`, session, io)).used === 0
}
