import * as z from 'zod'
import type { ReplyJob, SentReply } from '../kit/conversation.ts'
import { PlatformError, type PlatformIo } from '../kit/platform.ts'
import { resolveHandle } from './identity.ts'
import { obstacleTo } from './obstacle.ts'
import { created, createOnce, isCreated, type Created, type OwnRecord } from './own-record.ts'
import { replyRecord, type Thread } from './record.ts'
import { facetsOf } from './rich-text.ts'
import { withSession, type Session } from './session.ts'
import { tidFor } from './tid.ts'
import type { XrpcIo } from './xrpc.ts'

const referencesSchema = z.object({ rootUri: z.string(), rootCid: z.string(), commentCid: z.string() })

/** Writes the reply as a record at the key derived from its job, which makes it idempotent. */
export async function reply(job: ReplyJob, io: PlatformIo): Promise<SentReply> {
  const { uri: replyId, url } = await withSession(job.account, io, async (session) => {
    const own = await ownRecordOf(job, session, io)
    const obstacle = await obstacleTo(job.commentId, session, io)
    return obstacle === undefined ? createOnce(own, session, io) : createdBefore(own, obstacle, session, io)
  })
  return { replyId, url }
}

async function ownRecordOf(job: ReplyJob, session: Session, io: XrpcIo): Promise<OwnRecord> {
  const references = referencesSchema.safeParse(job.references)
  if (!references.success) {
    throw new PlatformError('permanent', 'A reply on Bluesky requires rootUri, rootCid and commentCid of the comment.')
  }
  const { rootUri, rootCid, commentCid } = references.data
  const thread = { root: { uri: rootUri, cid: rootCid }, parent: { uri: job.commentId, cid: commentCid } }
  return ownReply(job, thread, session, io)
}

/** The record of a reply in a thread. */
export async function ownReply(job: ReplyJob, thread: Thread, { host }: Session, io: XrpcIo): Promise<OwnRecord> {
  const facets = await facetsOf(job.text, (handle) => resolveHandle(handle, host, io))
  const record = replyRecord({ text: job.text, facets, ...thread, createdAt: job.approvedAt })
  return { did: job.account.externalId, rkey: tidFor(job.key, job.approvedAt), record }
}

/** The obstacle may be newer than an earlier attempt whose answer was lost, so check for its record first. */
async function createdBefore(own: OwnRecord, obstacle: string, { host }: Session, io: XrpcIo): Promise<Created> {
  if (await isCreated(own, host, io)) return created(own)
  throw new PlatformError('permanent', obstacle)
}
