import * as z from 'zod'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { recordUri } from './identity.ts'
import { COLLECTION } from './record.ts'
import { withSession, type Session } from './session.ts'
import { firstTidAt } from './tid.ts'
import { xrpc, type XrpcIo } from './xrpc.ts'

/** How far (ms) the clocks that produce record keys may differ from the app's. */
const CLOCK_SKEW_MS = 600_000
const PAGE_BYTES = 8 * 1024 * 1024

const pageSchema = z.object({
  records: z.array(z.object({ uri: recordUri, value: z.unknown() })),
  cursor: z.string().optional(),
})

export interface ListedRecord {
  readonly rkey: string
  readonly value: unknown
}

/**
 * Pages of all posts and replies that the account has written since then, from any client; may include some older ones.
 * They come from the account's own server, which has no indexing delay.
 *
 * @param since ms since the epoch
 * @throws PlatformError
 */
export async function* recordsSince(
  account: PlatformAccount,
  since: number,
  io: PlatformIo,
): AsyncGenerator<readonly ListedRecord[]> {
  const earliest = firstTidAt(since - CLOCK_SKEW_MS)
  let before: string | undefined
  for (;;) {
    // Newest first: record keys sort by time.
    const { records, cursor } = await withSession(account, io, (session) => pageBefore(before, session, io))
    const page = records.map(({ uri, value }) => ({ rkey: uri.slice(uri.lastIndexOf('/') + 1), value }))
    yield page
    const oldest = page.at(-1)
    if (!oldest || oldest.rkey < earliest || cursor === undefined || cursor === before) return
    before = cursor
  }
}

function pageBefore(cursor: string | undefined, session: Session, io: XrpcIo): Promise<z.infer<typeof pageSchema>> {
  const query = { repo: session.did, collection: COLLECTION, limit: '100', ...(cursor !== undefined && { cursor }) }
  const nsid = 'com.atproto.repo.listRecords'
  return xrpc({ host: session.host, method: 'GET', nsid, query, maxBytes: PAGE_BYTES }, pageSchema, io)
}
