import type { Database } from '../../infra/postgres/pool.ts'
import { MEDIA, OPTIONS } from './kept-media.ts'
import type { MediaRow } from './media.ts'

/** What shows a file. */
export interface MediaUser {
  readonly type: 'post' | 'scheduled_post' | 'draft' | 'video' | 'recycling_rule'
  readonly id: string
  /** Of a post or a draft. */
  readonly caption: string | null
  /** When it was made; a scheduled post, when it is due. */
  readonly at: string
}

/** Posts once scheduled, and drafts, may have been edited since they named the file. */
const USERS = `
  select 'post' as type, id, caption, created_at as at from read.posts where id = any($1) and position($2 in ${MEDIA}) > 0
  union all select 'scheduled_post', id, caption, due_at from read.scheduled_posts
    where id = any($1) and status = 'pending' and position($2 in ${MEDIA} || ${OPTIONS}) > 0
  union all select 'draft', id, coalesce(content->>'caption', ''), updated_at from read.drafts
    where id = any($1) and post_id is null and position($2 in content::text) > 0
      and ($3::text is null or visibility = 'workspace' or author_id = $3)
  union all select 'video', id, null, created_at from read.videos where id = any($1)
  union all select 'recycling_rule', rule.id, null, rule.created_at from read.recycling_rules rule
    join read.posts source on source.id = rule.source_post_id
    where rule.source_post_id = any($1) and position($2 in ${MEDIA}) > 0`

/**
 * What shows the file, among what named it last, newest first.
 *
 * @param readerId the id of a key or a user, whose private drafts are included; undefined: everybody's
 */
export async function mediaUsers(
  db: Database,
  { file, uses }: MediaRow,
  readerId: string | undefined,
): Promise<readonly MediaUser[]> {
  const { rows } = await db.query<MediaUser>(
    `select type, id, caption, at from (${USERS}) users order by at desc, id`,
    [uses, file, readerId ?? null],
  )
  return rows
}
