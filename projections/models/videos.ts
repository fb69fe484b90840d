import type { AspectRatio } from '../../domain/post/aspect-ratio.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { video } from '../../domain/video/video.ts'
import type { PartKey, Scene, VideoEvent, VideoSettings } from '../../domain/video/video-events.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { integer, json, text, time, rowFrom, type RowOf } from '../engine/columns.ts'
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

const columns = {
  id: text(),
  workspaceId: text(),
  status: text<'draft' | 'processing' | 'ready' | 'failed'>(),
  prompt: text<string | null>(),
  aspectRatio: text<AspectRatio>(),
  scenes: json<readonly ShownScene[]>(),
  voiceover: json<(ShownPart & { readonly voiceId?: string | undefined }) | null>(),
  /** The amount charged. */
  credits: integer(),
  error: text<string | null>(),
  /** When its files were deleted to make room for newer ones. */
  mediaExpiredAt: time<string | null>(),
  createdAt: time(),
  updatedAt: time(),
}
export type VideoRow = RowOf<typeof columns>

export const videos: Projection<VideoRow> = {
  name: 'videos',
  version: 2,
  columns,
  createsRow: atStreamStart,
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
        return before && { ...before, status: 'ready', updatedAt: at }
      case 'VideoFailed':
        return before && { ...before, status: 'failed', error: event.data.error, updatedAt: at }
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
    workspaceId,
    status: 'processing',
    prompt: prompt ?? null,
    aspectRatio,
    scenes: scenes.map((scene) => ({ ...scene, step: 'waiting' })),
    voiceover: voiceover ? { ...voiceover, step: 'waiting' } : null,
    credits: 0,
    error: null,
    mediaExpiredAt: null,
    createdAt: at,
    updatedAt: at,
  }
}

function changed(row: VideoRow, part: PartKey, state: ShownPart, at: string): VideoRow {
  if (part === 'voiceover')
    return { ...row, voiceover: row.voiceover && { ...row.voiceover, error: undefined, ...state }, updatedAt: at }
  const scenes = row.scenes.map((scene, index) => (index === part ? { ...scene, error: undefined, ...state } : scene))
  return { ...row, scenes, updatedAt: at }
}

/** An upload has no file in the media store: it stays where it is. */
function fileOf({ file, bytes }: Extract<VideoEvent, { type: 'PartRendered' }>['data']): Partial<ShownPart> {
  return file === undefined ? {} : { file, bytes }
}

function withoutFiles(row: VideoRow, at: string): VideoRow {
  const none = { file: undefined, bytes: undefined }
  const scenes = row.scenes.map((scene) => ({ ...scene, ...none }))
  const voiceover = row.voiceover && { ...row.voiceover, ...none }
  return { ...row, scenes, voiceover, mediaExpiredAt: at, updatedAt: at }
}

export async function findVideo(db: Database, id: string): Promise<VideoRow | undefined> {
  const { rows } = await db.query<VideoRow>(`select ${rowFrom(columns)} from read.videos where id = $1`, [id])
  return rows[0]
}
