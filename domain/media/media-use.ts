import { eventOf, type RecordedEvent } from '../core/event.ts'
import { draft } from '../post/draft.ts'
import { mediaUrls } from '../post/post-media.ts'
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
  if (posted?.type === 'PostQueued' || posted?.type === 'PostScheduled' || posted?.type === 'PostEdited') {
    return use(posted.data.workspaceId, mediaUrls(posted.data))
  }
  const written = eventOf(draft, recorded)
  if (written?.type === 'DraftSaved') return use(written.data.workspaceId, mediaUrls(written.data.content))
  const made = eventOf(video, recorded)
  if (made?.type !== 'VideoRequested') return undefined
  const urls = made.data.scenes.flatMap((scene) => (scene.mediaSource === 'upload' ? [scene.mediaUrl] : []))
  return use(made.data.workspaceId, urls)
}

function use(workspaceId: string, urls: readonly string[]): MediaUse | undefined {
  const mediaIds = [...new Set(urls.flatMap((url) => uploadedFileIn(url)?.mediaId ?? []))]
  return mediaIds.length === 0 ? undefined : { workspaceId, mediaIds }
}
