import * as z from 'zod'
import { HttpFailure } from '../../infra/http/http.ts'
import { PlatformError, type PlatformAccount, type PlatformIo } from '../kit/platform.ts'
import { didSchema, recordUri } from './identity.ts'
import { withSession, type Session } from './session.ts'
import { xrpc, type XrpcIo } from './xrpc.ts'
import { plainId } from '../kit/plain-id.ts'

/** The kinds of notification that can be replied to. */
const REASONS = ['reply', 'mention', 'quote'] as const

/** The largest page the API allows. */
const PAGE = 100
/** A single record always fits, even a malicious one; a page of them may not. */
const PAGE_BYTES = 8 * 1024 * 1024

const reference = z.object({ uri: recordUri, cid: plainId })
const notificationSchema = z.object({
  uri: recordUri,
  cid: plainId,
  author: z.object({ did: didSchema, handle: z.string().catch(''), displayName: z.string().catch('') }),
  reason: z.enum(REASONS),
  /** The account's own post that the notification is about. */
  reasonSubject: z.string().optional().catch(undefined),
  record: z.object({ text: z.string(), reply: z.object({ root: reference, parent: reference }).optional() }),
  /** When the app indexed the record, or the record's own time if earlier. Milliseconds since the epoch. */
  indexedAt: z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
})
export type Notification = Readonly<z.infer<typeof notificationSchema>>

const pageSchema = z.object({ notifications: z.array(z.unknown()), cursor: z.string().optional() })
type Page = z.infer<typeof pageSchema>

/**
 * Notifications that can be replied to, newest first, page by page. Malformed ones are skipped.
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
    // A repeated cursor would loop forever. An empty page is not necessarily the last.
    if (page.cursor === undefined || page.cursor === before) return
    before = page.cursor
  }
}

/** Retries an oversized page with smaller ones: someone may have made its records large on purpose. */
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

/** Over our own limit, or that of the account's server, which drops the connection beyond 10 MB of the app's answer. */
function isTooMuch(error: unknown): boolean {
  if (!(error instanceof PlatformError) || !(error.cause instanceof HttpFailure)) return false
  return error.cause.kind === 'too-large' || error.cause.kind === 'reset'
}
