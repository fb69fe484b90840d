import { z } from 'zod'
import type { Outlook, PlatformAccount, PlatformIo } from '../platform.ts'
import { byEitherName, callAs, idSchema, type Names } from './call.ts'
import type { Handle } from './handle.ts'

/** What the clocks of X and ours may differ by. */
const MARGIN_MS = 60_000
/** An account with more posts than this many pages of 100 since the attempt is not looked through. */
const MAX_PAGES = 8

const timeline = z.object({
  data: z
    .array(
      z.object({ id: idSchema, attachments: z.object({ media_keys: z.array(z.string()).default([]) }).optional() }),
    )
    .default([]),
  // What X could not show of a page that it otherwise answers with 200.
  errors: z.array(z.unknown()).default([]),
  meta: z.object({ next_token: z.string().optional() }).default({}),
})

/** Looks among the account's posts since the first upload for the one that shows one of our uploads. */
export async function find(
  account: PlatformAccount,
  handle: Handle,
  io: PlatformIo,
  urlOf: (postId: string) => Promise<string>,
): Promise<Outlook> {
  const ours = new Set([handle.mediaKey, ...handle.earlierKeys].map(withoutPrefix))
  const found = new Set<string>()
  let page: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const { data, errors, meta } = await byEitherName((names) => postsSince(account, handle.since, page, names, io))
    for (const { id, attachments } of data) {
      if (attachments?.media_keys.some((key) => ours.has(withoutPrefix(key)))) found.add(id)
    }
    // A post that X leaves out may be ours.
    if (errors.length > 0 && found.size === 0) return { outcome: 'unknown' }
    page = meta.next_token
    if (page !== undefined) continue
    const [postId, ...others] = found
    if (postId === undefined) return { outcome: 'absent' }
    return others.length > 0
      ? { outcome: 'unknown' }
      : { outcome: 'found', found: { postId, url: await urlOf(postId) } }
  }
  return { outcome: 'unknown' }
}

function postsSince(
  account: PlatformAccount,
  since: string,
  page: string | undefined,
  { postFields }: Names,
  io: PlatformIo,
): Promise<z.infer<typeof timeline>> {
  const start = new Date(Date.parse(since) - MARGIN_MS)
  const query = new URLSearchParams({
    max_results: '100',
    // To the second, as X documents it.
    start_time: start.toISOString().replace(/\.\d+Z$/, 'Z'),
    [postFields]: 'attachments,created_at',
    expansions: 'attachments.media_keys',
    ...(page !== undefined && { pagination_token: page }),
  })
  return callAs(account, { method: 'GET', path: `/2/users/${account.externalId}/tweets?${query}` }, timeline, io)
}

/** `7_123` and `13_123` are the same upload: what stands before is its kind, which processing may change. */
function withoutPrefix(key: string): string {
  return key.slice(key.indexOf('_') + 1)
}
