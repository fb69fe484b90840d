import type { AspectRatio } from '../../domain/post/aspect-ratio.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { video } from '../../domain/video/video.ts'
import type { PartKey, Scene, VideoEvent, VideoSettings } from '../../domain/video/video-events.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

/** The progress of a scene's clip or the voiceover. */
export interface ShownPart {
  readonly step: 'waiting' | 'started' | 'submitted' | 'done' | 'failed'
  /** The file's name in the media store, once done. */
  readonly file?: string | undefined
  /** The file's size. */
  readonly bytes?: number | undefined
  readonly error?: string | undefined
}

export type ShownScene = Scene & ShownPart

export interface VideoRow {
  readonly id: string
  readonly workspace_id: string
  readonly status: 'draft' | 'processing' | 'ready' | 'failed'
  readonly prompt: string | null
  readonly aspect_ratio: AspectRatio
  readonly scenes: readonly ShownScene[]
  readonly voiceover: (ShownPart & { readonly voiceId?: string | undefined }) | null
  /** The amount charged. */
  readonly credits: number
  readonly error: string | null
  /** When its files were deleted to make room for newer ones. */
  readonly media_expired_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

export const videos: Projection<VideoRow> = {
  name: 'videos',
  version: 2,
  columns: {
    id: 'text',
    workspace_id: 'text',
    status: 'text',
    prompt: 'text',
    aspect_ratio: 'text',
    scenes: 'json',
    voiceover: 'json',
    credits: 'integer',
    error: 'text',
    media_expired_at: 'timestamptz',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  makesAnew: atStreamStart,
  indexes: ['(workspace_id, created_at desc, id desc)'],
  rowIds: (recorded) => (eventOf(video, recorded) ? [parseStreamName(recorded.stream).id] : []),
  apply: (before, recorded, id) => {
    const event = eventOf(video, recorded)
    const { at } = recorded.metadata
    switch (event?.type) {
      case 'VideoDrafted':
        return { ...newRow(id, event.data, at), status: 'draft' }
      case 'VideoRequested':
        return { ...newRow(id, event.data, at), credits: event.data.credits }
      case 'VideoReady':
        return before && { ...before, status: 'ready', updated_at: at }
      case 'VideoFailed':
        return before && { ...before, status: 'failed', error: event.data.error, updated_at: at }
      case 'VideoMediaExpired':
        return before && withoutFiles(before, at)
      case 'VideoDeleted':
        return undefined
      case 'RenderStarted':
        return before && changed(before, event.data.part, { step: 'started' }, at)
      case 'RenderSubmitted':
        return before && changed(before, event.data.part, { step: 'submitted' }, at)
      case 'RenderDeferred':
        return before && changed(before, event.data.part, { step: 'waiting', error: event.data.error }, at)
      case 'PartRendered':
        return before && changed(before, event.data.part, { step: 'done', ...fileOf(event.data) }, at)
      case 'PartFailed':
        return before && changed(before, event.data.part, { step: 'failed', error: event.data.error }, at)
      default:
        return before
    }
  },
}

type Made = Extract<VideoEvent, { type: 'VideoDrafted' | 'VideoRequested' }>['data']

function newRow(
  id: string,
  { workspaceId, prompt, aspectRatio, scenes, voiceover }: Made & VideoSettings,
  at: string,
): VideoRow {
  return {
    id,
    workspace_id: workspaceId,
    status: 'processing',
    prompt: prompt ?? null,
    aspect_ratio: aspectRatio,
    scenes: scenes.map((scene) => ({ ...scene, step: 'waiting' })),
    voiceover: voiceover ? { ...voiceover, step: 'waiting' } : null,
    credits: 0,
    error: null,
    media_expired_at: null,
    created_at: at,
    updated_at: at,
  }
}

function changed(row: VideoRow, part: PartKey, state: ShownPart, at: string): VideoRow {
  if (part === 'voiceover')
    return { ...row, voiceover: row.voiceover && { ...row.voiceover, error: undefined, ...state }, updated_at: at }
  const scenes = row.scenes.map((scene, index) => (index === part ? { ...scene, error: undefined, ...state } : scene))
  return { ...row, scenes, updated_at: at }
}

/** An upload has no file in the media store: it stays where it is. */
function fileOf({ file, bytes }: Extract<VideoEvent, { type: 'PartRendered' }>['data']): Partial<ShownPart> {
  return file === undefined ? {} : { file, bytes }
}

function withoutFiles(row: VideoRow, at: string): VideoRow {
  const none = { file: undefined, bytes: undefined }
  const scenes = row.scenes.map((scene) => ({ ...scene, ...none }))
  const voiceover = row.voiceover && { ...row.voiceover, ...none }
  return { ...row, scenes, voiceover, media_expired_at: at, updated_at: at }
}

export async function findVideo(db: Database, id: string): Promise<VideoRow | undefined> {
  const { rows } = await db.query<VideoRow>('select * from read.videos where id = $1', [id])
  return rows[0]
}
