import * as z from 'zod'
import { ownAddress } from '../kit/own-address.ts'
import { plainId } from '../kit/plain-id.ts'
import type { PlatformAccount, PlatformIo, Published } from '../kit/platform.ts'
import { callAs } from './api.ts'
import { addressOf, hostOf } from './server.ts'
import type { Visibility } from './options.ts'

/** The largest page that Mastodon gives, and the smallest that any server cuts a list to. */
const PAGE = 40
const LEAST_PAGE = 20
/** 400 posts. */
const MOST_PAGES = 10
/** How far our clock and the server's may differ. */
const MARGIN_MS = 60_000

const text = z.string().nullish().catch(undefined)

/** As the API returns a post. */
export const statusSchema = z.object({
  id: plainId,
  url: text,
  created_at: z.iso.datetime({ offset: true }).transform((time) => Date.parse(time)),
  in_reply_to_id: text,
  visibility: text,
  /** HTML. */
  content: z.string(),
  /** As it was written. Mastodon does not list it, others do. */
  text,
  media_attachments: z.array(z.object({ id: z.string(), url: text })).catch([]),
  /** The post of somebody else that this one boosts. */
  reblog: z.unknown().optional(),
})
export type Status = Readonly<z.infer<typeof statusSchema>>

export interface OwnStatuses {
  readonly listed: readonly Status[]
  /** Whether it certainly has each post of this visibility. */
  readonly isWhole: boolean
}

/**
 * What the account has posted, newest first.
 *
 * @param since ms since the epoch
 * @throws PlatformError
 */
export async function ownStatuses(
  account: PlatformAccount,
  since: number,
  visibility: Visibility,
  io: PlatformIo,
): Promise<OwnStatuses> {
  const earliest = since - MARGIN_MS
  const listed = new Map<string, Status>()
  const all = (isWhole: boolean): OwnStatuses => {
    const statuses = [...listed.values()].filter(({ reblog }) => (reblog ?? null) === null)
    return {
      listed: statuses.filter(({ created_at }) => created_at >= earliest),
      isWhole: isWhole && (!isHidden(visibility) || statuses.some(isHiddenStatus)),
    }
  }
  let before: string | undefined
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = await pageBefore(before, account, io)
    const statuses = page.flatMap((given) => statusSchema.safeParse(given).data ?? [])
    if (statuses.length < page.length) return all(false)
    const fresh = statuses.filter(({ id }) => !listed.has(id))
    for (const status of fresh) listed.set(status.id, status)
    const oldest = fresh.at(-1)
    // The end; or a server that lists all, wherever it is asked to begin.
    if (!oldest) return all(statuses.length < LEAST_PAGE)
    if (oldest.created_at < earliest) return all(true)
    before = oldest.id
  }
  return all(false)
}

function pageBefore(before: string | undefined, account: PlatformAccount, io: PlatformIo): Promise<readonly unknown[]> {
  const query = new URLSearchParams({ limit: String(PAGE), exclude_reblogs: 'true' })
  if (before !== undefined) query.set('max_id', before)
  const path = `/api/v1/accounts/${encodeURIComponent(addressOf(account).id)}/statuses?${query}`
  return callAs(account, { method: 'GET', path }, z.array(z.unknown()), io)
}

/** Some servers do not list these, even to their author. That they list one is the only sign that they do. */
function isHidden(visibility: string | null | undefined): boolean {
  return visibility === 'private' || visibility === 'direct'
}

function isHiddenStatus({ visibility }: Status): boolean {
  return isHidden(visibility)
}

export function publishedAs({ id, url }: Pick<Status, 'id' | 'url'>, account: PlatformAccount): Published {
  const { host } = addressOf(account)
  const own = ownAddress(url ?? undefined, [host.replace(/:\d+$/, '')], hostOf(account.baseUrl))
  return { postId: id, ...(own !== undefined && { url: own }) }
}
