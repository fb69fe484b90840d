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
    return use(posted.data.workspaceId, [...mediaUrls(posted.data), ...textsIn(posted.data)])
  }
  const written = eventOf(draft, recorded)
  if (written?.type === 'DraftSaved') {
    const { workspaceId, content } = written.data
    return use(workspaceId, [...mediaUrls(content), ...textsIn(content)])
  }
  const made = eventOf(video, recorded)
  if (made?.type !== 'VideoRequested') return undefined
  const urls = made.data.scenes.flatMap((scene) => (scene.mediaSource === 'upload' ? [scene.mediaUrl] : []))
  return use(made.data.workspaceId, urls)
}

type Options = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>

/** An option may name an upload as well, such as the cover of a reel. */
function textsIn({
  platformOptions = {},
  accountOptions = {},
}: {
  readonly platformOptions?: Options | undefined
  readonly accountOptions?: Options | undefined
}): readonly string[] {
  const all = [...Object.values(platformOptions), ...Object.values(accountOptions)]
  return all.flatMap((options = {}) => Object.values(options)).filter((value) => typeof value === 'string')
}

function use(workspaceId: string, urls: readonly string[]): MediaUse | undefined {
  const mediaIds = [...new Set(urls.flatMap((url) => uploadedFileIn(url)?.mediaId ?? []))]
  return mediaIds.length === 0 ? undefined : { workspaceId, mediaIds }
}
