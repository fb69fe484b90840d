import { eventOf, type RecordedEvent } from '../core/event.ts'
import { mediaOf } from '../post/post-media.ts'
import { post } from '../post/post.ts'
import { video } from '../video/video.ts'
import { uploadedFileIn } from '../core/upload.ts'

export interface MediaUse {
  readonly workspaceId: string
  /** Of uploads, which may be those of another workspace, or none. */
  readonly mediaIds: readonly string[]
}

/** The uploads that an event names as what is to be posted. */
export function usedMedia(recorded: RecordedEvent): MediaUse | undefined {
  const posted = eventOf(post, recorded)
  if (posted?.type === 'PostQueued' || posted?.type === 'PostScheduled') {
    const urls = mediaOf(posted.data).flatMap(({ url, thumbnailUrl = url }) => [url, thumbnailUrl])
    return use(posted.data.workspaceId, urls)
  }
  const made = eventOf(video, recorded)
  if (made?.type !== 'VideoRequested') return undefined
  const urls = made.data.scenes.flatMap((scene) => (scene.mediaSource === 'upload' ? [scene.mediaUrl] : []))
  return use(made.data.workspaceId, urls)
}

function use(workspaceId: string, urls: readonly string[]): MediaUse | undefined {
  const mediaIds = [...new Set(urls.flatMap((url) => uploadedFileIn(url)?.mediaId ?? []))]
  return mediaIds.length === 0 ? undefined : { workspaceId, mediaIds }
}
