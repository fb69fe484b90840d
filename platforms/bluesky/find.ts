import * as z from 'zod'
import type { ReplyJob, SentReply } from '../kit/conversation.ts'
import { unlessRefused } from '../kit/find-by-content.ts'
import type { PlatformIo, Published, PublishJob, Search } from '../kit/platform.ts'
import { created, standing, type Created } from './own-record.ts'
import { recordsSince } from './own-records.ts'
import { withSession } from './session.ts'
import { isTidFor, tidFor } from './tid.ts'

/** 1,000 records. */
const MOST_PAGES = 10

const written = z.object({ text: z.unknown() })

/**
 * Looks for a post at the record key derived from its job. If the original queue time, and with it the time in the key, was
 * lost, scans the records since then for a key whose other bits match.
 *
 * @throws PlatformError if a later search may give an answer
 */
export function findByContent(job: PublishJob, since: number, io: PlatformIo): Promise<Search<Published>> {
  return unlessRefused(async () => {
    const { account, key, queuedAt } = job
    const search = await atItsKey({ ...job, at: queuedAt }, io)
    if (search.outcome !== 'absent') return publishedAs(search)
    const ours = new Map<string, unknown>()
    let pages = 0
    for await (const page of recordsSince(account, since, io)) {
      pages += 1
      if (pages > MOST_PAGES) return { outcome: 'unknown' }
      for (const { rkey, value } of page) if (isTidFor(key, rkey)) ours.set(rkey, written.safeParse(value).data?.text)
    }
    const [one, ...more] = ours
    if (!one) return { outcome: 'absent' }
    const [rkey, text] = one
    if (more.length > 0 || text !== job.text) return { outcome: 'unknown' }
    return publishedAs({ outcome: 'found', found: created({ did: account.externalId, rkey }) })
  })
}

/** Looks for a reply at the record key derived from its job. @throws PlatformError if a later search may give an answer */
export async function findReply(job: ReplyJob, io: PlatformIo): Promise<Search<SentReply>> {
  const search = await atItsKey({ ...job, at: job.approvedAt }, io)
  return search.outcome === 'found'
    ? { outcome: 'found', found: { replyId: search.found.uri, url: search.found.url } }
    : search
}

/** `at` is the record's creation time, ISO 8601 UTC. */
function atItsKey(
  { account, key, text, at }: Pick<PublishJob, 'account' | 'key' | 'text'> & { readonly at: string },
  io: PlatformIo,
): Promise<Search<Created>> {
  const own = { did: account.externalId, rkey: tidFor(key, at), record: { text, createdAt: at } }
  return withSession(account, io, async ({ host }): Promise<Search<Created>> => {
    switch (await standing(own, host, io)) {
      case 'it':
        return { outcome: 'found', found: created(own) }
      case 'another':
        return { outcome: 'unknown' }
      case 'nothing':
        return { outcome: 'absent' }
    }
  })
}

function publishedAs(search: Search<Created>): Search<Published> {
  if (search.outcome !== 'found') return search
  const { uri: postId, url } = search.found
  return { outcome: 'found', found: { postId, url } }
}
