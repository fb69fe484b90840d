import * as z from 'zod'
import { plainId } from '../kit/plain-id.ts'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { callAs } from './api.ts'

const PAGE = 40

const text = z.string().catch('')
const notificationSchema = z.object({
  id: plainId,
  type: z.literal('mention'),
  /** By the clock of the account's server, unlike that of the post. Milliseconds since the epoch. */
  created_at: z.iso.datetime({ offset: true }).transform((time) => Date.parse(time)),
  status: z.object({
    id: plainId,
    in_reply_to_id: z.string().nullish().catch(undefined),
    in_reply_to_account_id: z.string().nullish().catch(undefined),
    /** HTML. */
    content: z.string(),
    account: z.object({ id: plainId, acct: text, display_name: text }),
  }),
})
export type Mention = Readonly<z.infer<typeof notificationSchema>>

const listed = z.object({ id: plainId })

/**
 * Posts that mention the account, replies to it among them, newest first, page by page. Malformed ones are skipped.
 *
 * @param since ISO 8601
 * @throws PlatformError
 */
export async function* mentionsSince(
  account: PlatformAccount,
  since: string,
  io: PlatformIo,
): AsyncIterable<readonly Mention[]> {
  const earliest = Date.parse(since)
  const seen = new Set<string>()
  let before: string | undefined
  for (;;) {
    const page = await pageBefore(before, account, io)
    const ids = page.flatMap((given) => listed.safeParse(given).data?.id ?? []).filter((id) => !seen.has(id))
    for (const id of ids) seen.add(id)
    // The end; or a server that lists all, wherever it is asked to begin.
    before = ids.at(-1)
    if (before === undefined) return
    const fresh = page
      .flatMap((given) => notificationSchema.safeParse(given).data ?? [])
      .filter(({ id }) => ids.includes(id))
    yield fresh.filter(({ created_at }) => created_at >= earliest)
    const oldest = fresh.at(-1)
    if (oldest && oldest.created_at < earliest) return
  }
}

function pageBefore(before: string | undefined, account: PlatformAccount, io: PlatformIo): Promise<readonly unknown[]> {
  const query = new URLSearchParams({ 'types[]': 'mention', limit: String(PAGE) })
  if (before !== undefined) query.set('max_id', before)
  return callAs(account, { method: 'GET', path: `/api/v1/notifications?${query}` }, z.array(z.unknown()), io)
}
