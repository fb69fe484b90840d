import type { KeptVideo } from '../domain/kept-media.ts'
import type { Database } from '../database/pool.ts'
import type { ShownPart, VideoRow } from './videos.ts'

type Row = Pick<VideoRow, 'id' | 'status' | 'scenes' | 'voiceover'>

/** What still has to be fetched. A failed or published post needs its media only where a recycling rule posts it again. */
const NEEDED = `
  select media_url as text from read.scheduled_posts where workspace_id = $1 and status = 'pending'
  union all select media_url from read.posts where workspace_id = $1 and status = 'processing'
  union all select source.media_url from read.recycling_rules rule
    join read.posts source on source.id = rule.source_post_id where rule.workspace_id = $1
  union all select scenes::text from read.videos where workspace_id = $1 and status = 'processing'`
const FILE_NAMES = /[0-9a-v]{32}\.[0-9a-z]{3}/g

/** The videos of a workspace that have, or will have, files in the media store, oldest first. */
export async function keptVideos(db: Database, workspaceId: string): Promise<readonly KeptVideo[]> {
  const { rows } = await db.query<Row>(
    `select id, status, scenes, voiceover from read.videos
     where workspace_id = $1 and status in ('processing', 'ready') and media_expired_at is null
     order by created_at, id`,
    [workspaceId],
  )
  const needed = await db.query<{ text: string }>(NEEDED, [workspaceId])
  const names = new Set(needed.rows.flatMap(({ text }) => text.match(FILE_NAMES) ?? []))
  return rows.map(({ id, status, scenes, voiceover }) => {
    const files = [...scenes, ...(voiceover ? [voiceover] : [])].flatMap(fileOf)
    return { id, isReady: status === 'ready', isNeeded: files.some(({ name }) => names.has(name)), files }
  })
}

function fileOf({ file: name, bytes = 0 }: ShownPart) {
  return name === undefined ? [] : [{ name, bytes }]
}
