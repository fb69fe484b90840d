import { Refusal } from '../../domain/core/errors.ts'
import { RETRIED_WITHIN_MS, type KeptMedia } from '../../domain/media/kept-media.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { MediaRow } from './media.ts'
import type { ShownPart, VideoRow } from './videos.ts'

type Video = Pick<VideoRow, 'id' | 'createdAt' | 'status' | 'scenes' | 'voiceover'>
type Upload = Pick<MediaRow, 'id' | 'createdAt' | 'status' | 'file' | 'sizeBytes' | 'keep' | 'uses'> & {
  /** Whether a post may still use it for the first time. */
  readonly isNew: boolean
}

/** The URLs of all media of a post. */
export const MEDIA = `media_url || ' ' || coalesce(media::text, '') || coalesce(chain::text, '')`
/** Which may name a cover. */
export const OPTIONS = `coalesce(platform_options::text, '') || coalesce(account_options::text, '')`
/**
 * Text with the names of files that are certainly still to be fetched, and what will fetch them. The rows of published posts lack the
 * options, so the post itself is named as well.
 */
const PLANNED = `
  select 'a scheduled post' as by, ${MEDIA} || ${OPTIONS} as text from read.scheduled_posts
    where workspace_id = $1 and status = 'pending'
  union all select 'a draft', content::text from read.drafts
    where workspace_id = $1 and post_id is null
  union all select 'a post that is being published', ${MEDIA} || ' ' || id from read.posts
    where workspace_id = $1 and status = 'processing'
  union all select 'a recycling rule', ${MEDIA} from read.recycling_rules rule
    join read.posts source on source.id = rule.source_post_id where rule.workspace_id = $1
  union all select 'a video that is being created', scenes::text from read.videos
    where workspace_id = $1 and status = 'processing'`
/**
 * Or that may be. A published post needs its media only for a recycling rule. Feeds post images from elsewhere, which the media
 * store never holds.
 */
const NEEDED = `${PLANNED}
  union all select '', ${MEDIA} || ' ' || id from read.posts
    where workspace_id = $1 and created_at > $2 and exists (
      select from json_each(results) platform, json_array_elements(platform.value) result where result->>'ok' = 'false'
    )`
const NAMES = /[0-9a-v]{32}(?:[0-9a-z]{26})?\.[0-9a-z]{3,4}|post_[0-9A-Z]{26}/g

/**
 * The media of a workspace that have, or will have, files in the media store, oldest first.
 *
 * @param now in ms
 */
export async function keptMedia(db: Database, workspaceId: string, now: number): Promise<readonly KeptMedia[]> {
  const videos = await db.query<Video>(
    `select id, created_at as "createdAt", status, scenes, voiceover from read.videos
     where workspace_id = $1 and status in ('processing', 'ready') and media_expired_at is null`,
    [workspaceId],
  )
  const uploads = await db.query<Upload>(
    `select id, created_at as "createdAt", status, file, size_bytes as "sizeBytes", keep, uses, expires_at is not null as "isNew"
     from read.media where workspace_id = $1 and status in ('uploading', 'ready', 'pinned')`,
    [workspaceId],
  )
  const needed = await db.query<{ text: string }>(NEEDED, [workspaceId, isoTime(now - RETRIED_WITHIN_MS)])
  const names = new Set(needed.rows.flatMap(({ text }) => text.match(NAMES) ?? []))
  const kept = [
    ...videos.rows.map(({ id, createdAt, status, scenes, voiceover }) => {
      const files = [...scenes, ...(voiceover ? [voiceover] : [])].flatMap(fileOf)
      const isNeeded = files.some(({ name }) => names.has(name))
      return { kind: 'video', id, createdAt, isReady: status === 'ready', isNeeded, files } as const
    }),
    ...uploads.rows.map(({ id, createdAt, status, file, sizeBytes, keep, uses, isNew }) => {
      const isNeeded = keep || isNew || [file, ...uses].some((name) => names.has(name))
      const files = [{ name: file, bytes: Number(sizeBytes) }]
      return { kind: 'upload', id, createdAt, isReady: status === 'ready', isNeeded, files } as const
    }),
  ]
  return kept.toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1))
}

/** @throws Refusal failed_precondition while something will certainly fetch the file */
export async function mustBeUnused(db: Database, { workspaceId, file, uses }: MediaRow): Promise<void> {
  const { rows } = await db.query<{ by: string }>(
    `select by from (${PLANNED}) planned
     where exists (select from unnest($2::text[]) name where position(name in text) > 0) limit 1`,
    [workspaceId, [file, ...uses]],
  )
  const [use] = rows
  if (!use) return
  throw new Refusal('failed_precondition', `The file is used by ${use.by}. Cancel or delete that first.`)
}

function fileOf({ file: name, bytes = 0 }: ShownPart) {
  return name === undefined ? [] : [{ name, bytes }]
}
