import { z } from 'zod'
import { HttpFailure } from '../../infra/http/http.ts'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { BlueskyError } from './errors.ts'
import { didSchema, recordUri } from './identity.ts'
import { withSession, type Session } from './session.ts'
import { xrpc, type XrpcIo } from './xrpc.ts'
import { plainId } from '../kit/plain-id.ts'

/** Of all that an account is told of, what can be answered. */
const REASONS = ['reply', 'mention', 'quote'] as const

/** The most that one page has. */
const PAGE = 100
/** One record has less, whatever is written into it on purpose, but a page of them need not. */
const PAGE_BYTES = 8 * 1024 * 1024

const reference = z.object({ uri: recordUri, cid: plainId })
const notificationSchema = z.object({
  uri: recordUri,
  cid: plainId,
  author: z.object({ did: didSchema, handle: z.string().catch(''), displayName: z.string().catch('') }),
  reason: z.enum(REASONS),
  /** The account's own post that it is about. */
  reasonSubject: z.string().optional().catch(undefined),
  record: z.object({ text: z.string(), reply: z.object({ root: reference, parent: reference }).optional() }),
  /** When the app came to know of it, or when it says it was written, if that is earlier. Milliseconds since the epoch. */
  indexedAt: z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
})
export type Notification = Readonly<z.infer<typeof notificationSchema>>

const pageSchema = z.object({ notifications: z.array(z.unknown()), cursor: z.string().optional() })
type Page = z.infer<typeof pageSchema>

/**
 * What was written to the account, the newest first, page by page. One of a shape that no record has is left out.
 *
 * @param since ISO 8601
 * @throws PlatformError
 */
export async function* notificationsSince(
  account: PlatformAccount,
  since: string,
  io: PlatformIo,
): AsyncIterable<readonly Notification[]> {
  const earliest = Date.parse(since)
  let before: string | undefined
  for (;;) {
    const page = await withSession(account, io, (session) => pageBefore(before, session, io))
    const readable = page.notifications.flatMap((given) => notificationSchema.safeParse(given).data ?? [])
    yield readable.filter(({ indexedAt }) => indexedAt >= earliest)
    const oldest = readable.at(-1)
    if (oldest && oldest.indexedAt < earliest) return
    // The same cursor again would go on for ever. A page without anything in it need not be the last.
    if (page.cursor === undefined || page.cursor === before) return
    before = page.cursor
  }
}

/** A page that is too large is read in smaller ones: somebody may have written it to be that. */
async function pageBefore(cursor: string | undefined, session: Session, io: XrpcIo, limit = PAGE): Promise<Page> {
  try {
    return await pageOf(limit, cursor, session, io)
  } catch (error) {
    if (limit === 1 || !isTooMuch(error)) throw error
    return pageBefore(cursor, session, io, limit / 10)
  }
}

function pageOf(limit: number, cursor: string | undefined, session: Session, io: XrpcIo): Promise<Page> {
  const call = {
    host: session.host,
    method: 'GET',
    nsid: 'app.bsky.notification.listNotifications',
    token: session.accessJwt,
    query: { reasons: REASONS, limit: String(limit), ...(cursor !== undefined && { cursor }) },
    maxBytes: PAGE_BYTES,
  } as const
  return xrpc(call, pageSchema, io)
}

/** For us, or for the account's server, which breaks off beyond 10 MB of what the app answers. */
function isTooMuch(error: unknown): boolean {
  if (!(error instanceof BlueskyError) || !(error.cause instanceof HttpFailure)) return false
  return error.cause.kind === 'too-large' || error.cause.kind === 'reset'
}
