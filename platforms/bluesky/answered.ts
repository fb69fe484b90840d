import { z } from 'zod'
import type { PlatformAccount, PlatformIo } from '../platform.ts'
import { COLLECTION } from './record.ts'
import { withSession, type Session } from './session.ts'
import { firstTidAt } from './tid.ts'
import { xrpc, type XrpcIo } from './xrpc.ts'

/** How far (ms) the clocks that record keys are made by may be apart from the app's. */
const CLOCK_SKEW_MS = 600_000
const PAGE_BYTES = 8 * 1024 * 1024

const pageSchema = z.object({
  records: z.array(z.object({ uri: z.string(), value: z.unknown() })),
  cursor: z.string().optional(),
})
const replySchema = z.object({ reply: z.object({ parent: z.object({ uri: z.string() }) }) })

/**
 * What the account has answered since then, from wherever, by the URI of what was answered. Its own server tells, at once
 * and without the app.
 *
 * @param since ISO 8601
 * @throws PlatformError
 */
export async function answeredSince(
  account: PlatformAccount,
  since: string,
  io: PlatformIo,
): Promise<ReadonlySet<string>> {
  const earliest = firstTidAt(Date.parse(since) - CLOCK_SKEW_MS)
  const answered = new Set<string>()
  let before: string | undefined
  for (;;) {
    // The newest key first, and keys sort by time.
    const { records, cursor } = await withSession(account, io, (session) => pageBefore(before, session, io))
    for (const { value } of records) {
      const parent = replySchema.safeParse(value).data?.reply.parent.uri
      if (parent !== undefined) answered.add(parent)
    }
    const oldest = records.at(-1)
    if (!oldest || keyOf(oldest.uri) < earliest || cursor === undefined || cursor === before) return answered
    before = cursor
  }
}

function pageBefore(cursor: string | undefined, session: Session, io: XrpcIo): Promise<z.infer<typeof pageSchema>> {
  const query = { repo: session.did, collection: COLLECTION, limit: '100', ...(cursor !== undefined && { cursor }) }
  const nsid = 'com.atproto.repo.listRecords'
  return xrpc({ host: session.host, method: 'GET', nsid, query, maxBytes: PAGE_BYTES }, pageSchema, io)
}

function keyOf(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1)
}
