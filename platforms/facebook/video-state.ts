import * as z from 'zod'
import { subcodes } from '../meta/errors.ts'
import type { Session } from '../meta/graph.ts'
import { quoted, type RestIo } from '../kit/rest.ts'
import { videoAddress, whole } from './address.ts'
import { graph, is } from './api.ts'
import { errors } from './errors.ts'
import { plainId } from '../kit/plain-id.ts'

interface PublishedVideo {
  readonly postId: string
  readonly url: string
}

/** State of a video. A completed step means that the next one has not begun. */
export type VideoState =
  | { readonly is: 'empty' }
  | { readonly is: 'uploading' }
  | { readonly is: 'uploaded' }
  | { readonly is: 'processing' }
  | { readonly is: 'processed' }
  /** Processed, but kept unpublished. */
  | { readonly is: 'draft' }
  | { readonly is: 'publishing' }
  | { readonly is: 'published'; readonly published: PublishedVideo }
  | { readonly is: 'expired' }
  | { readonly is: 'failed'; readonly why: string; readonly worthAnother: boolean }
  /** Says nothing about whether it exists. */
  | { readonly is: 'unreadable' }

export const VIDEO_FIELDS = 'id,status,published,post_id,permalink_url'

const failure = z.object({ code: z.number().optional().catch(undefined), message: z.string().catch('') })
const phase = z.object({
  status: z.string().catch(''),
  error: failure.optional().catch(undefined),
  errors: z.array(failure).optional().catch(undefined),
})
export const videoSchema = z.object({
  id: plainId,
  status: z.object({
    video_status: z.string().catch(''),
    uploading_phase: phase.optional(),
    processing_phase: phase.optional(),
    publishing_phase: phase.extend({ publish_status: z.string().optional() }).optional(),
  }),
  published: z.boolean().optional(),
  post_id: plainId.optional(),
  permalink_url: z.string().optional(),
})
type Video = z.infer<typeof videoSchema>
type Phase = z.infer<typeof phase> | undefined

/** @throws PlatformError when there is no meaningful response */
export async function readVideo(videoId: string, pageId: string, session: Session, io: RestIo): Promise<VideoState> {
  const call = { method: 'GET', path: `/${videoId}`, query: { fields: VIDEO_FIELDS } } as const
  try {
    return stateOf(await graph(session, call, videoSchema, io), pageId)
  } catch (error) {
    if (is(error, 'unreadable')) return { is: 'unreadable' }
    throw error
  }
}

export function stateOf(video: Video, pageId: string): VideoState {
  const { video_status: whole, uploading_phase: uploading, processing_phase, publishing_phase } = video.status
  if (isPublished(video)) return { is: 'published', published: publishedAs(video, pageId) }
  if (whole === 'expired') return { is: 'expired' }
  const failed = [uploading, processing_phase, publishing_phase].find((each) => each?.status === 'error')
  if (failed || whole === 'error' || whole === 'upload_failed') return failedFor(failed, uploading === failed)
  const isDraft = publishing_phase?.publish_status === 'draft'
  if (isBegun(publishing_phase) && !isDraft) return { is: 'publishing' }
  if (isComplete(processing_phase) || whole === 'ready') return { is: isDraft ? 'draft' : 'processed' }
  if (isBegun(processing_phase) || whole === 'processing') return { is: 'processing' }
  if (isComplete(uploading) || whole === 'upload_complete') return { is: 'uploaded' }
  return { is: isBegun(uploading) ? 'uploading' : 'empty' }
}

/** `ready` alone does not mean published. */
function isPublished({ status, published }: Video): boolean {
  const { publishing_phase: phase, video_status: whole } = status
  if (!phase) return published === true && whole === 'ready'
  return isComplete(phase) && phase.publish_status === 'published'
}

/** The post's id may be missing for a while: until then the video's own id is used. */
function publishedAs({ id, post_id: postId, permalink_url: permalink }: Video, pageId: string): PublishedVideo {
  const url = whole(permalink) ?? videoAddress(id, pageId)
  return { postId: postId === undefined ? id : postId.includes('_') ? postId : `${pageId}_${postId}`, url }
}

function failedFor(phase: Phase, isUpload: boolean): VideoState {
  const found = phase?.error ?? phase?.errors?.[0]
  const refusal = found?.code === undefined ? undefined : errors.named([...subcodes(found.code), found.code])
  const says = refusal ? errors.rows[refusal].text : 'Facebook could not process the video'
  const text = quoted(found?.message ?? '')
  const worthAnother = refusal === undefined ? isUpload || !found : refusal === 'unfetchable' || refusal === 'failed'
  return { is: 'failed', why: text === '' ? `${says}.` : `${says}: ${text}`, worthAnother }
}

function isComplete(phase: Phase): boolean {
  // Meta's documentation uses both spellings.
  return phase?.status === 'complete' || phase?.status === 'completed'
}

function isBegun(phase: Phase): boolean {
  return phase?.status === 'in_progress' || isComplete(phase)
}
