import * as z from 'zod'
import { PLATFORM_KEYS } from '../../../domain/core/platform.ts'
import { text } from '../../../domain/core/text.ts'
import type { Filter } from '../../../projections/engine/newest-first.ts'
import { pageQuery } from '../../http/pagination.ts'
import { time } from '../history/history-schemas.ts'

const STATUSES = ['processing', 'published', 'partially_failed', 'publish_failed'] as const

export const author = text(100).min(1).optional()

const ofContent = {
  platform: z
    .enum(PLATFORM_KEYS, { error: `must be one of ${PLATFORM_KEYS.join(', ')}` })
    .optional()
    .describe('Only posts to this platform.'),
  accountId: text(100).optional().describe('Only posts to this account.'),
  author: author.describe('Only posts that this user or API key made, by its id; me: the one who asks.'),
  q: text(200).min(1).optional().describe('Only posts whose caption contains this text, in any case.'),
}

/** Query of GET /posts. */
export const postsQuery = pageQuery.extend({
  status: z
    .enum(STATUSES, { error: `must be one of ${STATUSES.join(', ')}` })
    .optional()
    .describe('Only posts with this status; partially_failed: published, but not on every account.'),
  ...ofContent,
  from: time.optional().describe('Only posts created at this time or later.'),
  to: time.optional().describe('Only posts created before this time.'),
})

/** Query of GET /scheduled-posts. */
export const scheduledPostsQuery = pageQuery.extend({
  ...ofContent,
  from: time.optional().describe('Only posts due at this time or later.'),
  to: time.optional().describe('Only posts due before this time.'),
})

type Given = Partial<z.output<typeof scheduledPostsQuery> & Pick<z.output<typeof postsQuery>, 'status'>>

const FAILED_SOMEWHERE = `exists (select from json_each(posts.results) as p, json_array_elements(p.value) as r
  where not (r ->> 'ok')::boolean)`

/** Of a post that was scheduled, its author is who scheduled it. */
const MADE_BY = {
  posts: 'posts.author_id = $ or posts.id = any(array(select id from read.scheduled_posts where author_id = $))',
  s: 's.author_id = $',
}

/**
 * The filters of a query on a table that has the content of posts.
 *
 * @param at the column that `from` and `to` are about
 * @param callerId who `me` is
 */
export function postFilters(
  { status, platform, accountId, author, q, from, to }: Given,
  table: 'posts' | 's',
  at: string,
  callerId: string,
): readonly Filter[] {
  const partly = status === 'partially_failed'
  const filters: readonly (Filter & { readonly value: string | undefined })[] = [
    { sql: `${table}.status = $`, value: partly ? 'published' : status },
    { sql: `${table}.selections::jsonb ? $`, value: platform },
    {
      sql: `exists (select from json_each(${table}.selections) as p, json_array_elements_text(p.value) as a where a = $)`,
      value: accountId,
    },
    { sql: MADE_BY[table], value: author === 'me' ? callerId : author },
    { sql: `position(lower($::text) in lower(${table}.caption)) > 0`, value: q },
    { sql: `${table}.${at} >= $::timestamptz`, value: from },
    { sql: `${table}.${at} < $::timestamptz`, value: to },
    { sql: `(${FAILED_SOMEWHERE}) = $::boolean`, value: partly ? 'true' : undefined },
  ]
  return filters.filter(({ value }) => value !== undefined)
}
