import type { KeptVideo } from '../../domain/video/kept-media.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { ShownPart, VideoRow } from './videos.ts'

type Row = Pick<VideoRow, 'id' | 'status' | 'scenes' | 'voiceover'>

/** A failed post can be retried at any time, but its media are kept no longer than this. */
const RETRIED_WITHIN_MS = 7 * 86_400_000

/**
 * Text with the names of files that still have to be fetched, or may be. A published post needs its media only for a recycling
 * rule. Feeds post images, which the media store never holds.
 */
const NEEDED = `
  select media_url as text from read.scheduled_posts where workspace_id = $1 and status = 'pending'
  union all select media_url from read.posts where workspace_id = $1 and status = 'processing'
  union all select media_url from read.posts
    where workspace_id = $1 and created_at > $2 and exists (
      select from json_each(results) platform, json_array_elements(platform.value) result where result->>'ok' = 'false'
    )
  union all select source.media_url from read.recycling_rules rule
    join read.posts source on source.id = rule.source_post_id where rule.workspace_id = $1
  union all select scenes::text from read.videos where workspace_id = $1 and status = 'processing'`
const FILE_NAMES = /[0-9a-v]{32}\.[0-9a-z]{3}/g

/**
 * The videos of a workspace that have, or will have, files in the media store, oldest first.
 *
 * @param now in ms
 */
export async function keptVideos(db: Database, workspaceId: string, now: number): Promise<readonly KeptVideo[]> {
  const { rows } = await db.query<Row>(
    `select id, status, scenes, voiceover from read.videos
     where workspace_id = $1 and status in ('processing', 'ready') and media_expired_at is null
     order by created_at, id`,
    [workspaceId],
  )
  const needed = await db.query<{ text: string }>(NEEDED, [workspaceId, isoTime(now - RETRIED_WITHIN_MS)])
  const names = new Set(needed.rows.flatMap(({ text }) => text.match(FILE_NAMES) ?? []))
  return rows.map(({ id, status, scenes, voiceover }) => {
    const files = [...scenes, ...(voiceover ? [voiceover] : [])].flatMap(fileOf)
    return { id, isReady: status === 'ready', isNeeded: files.some(({ name }) => names.has(name)), files }
  })
}

function fileOf({ file: name, bytes = 0 }: ShownPart) {
  return name === undefined ? [] : [{ name, bytes }]
}
