import { eventOf, type RecordedEvent } from '../core/event.ts'
import { uploadedFileIn } from '../core/upload.ts'
import { draft } from '../post/draft.ts'
import { itemsOf, mediaUrls, type Showing } from '../post/post-media.ts'
import { post } from '../post/post.ts'
import { video } from '../video/video.ts'

export interface MediaUse {
  readonly workspaceId: string
  /** Of uploads, which may be those of another workspace, or none. */
  readonly mediaIds: readonly string[]
  /** Those that a post gives, by the id of the media. A draft gives none: it may be private, or unfinished. */
  readonly altTexts: ReadonlyMap<string, string>
}

/** The uploads that an event names as what is to be posted. */
export function usedMedia(recorded: RecordedEvent): MediaUse | undefined {
  const posted = eventOf(post, recorded)
  if (posted?.type === 'PostQueued' || posted?.type === 'PostScheduled' || posted?.type === 'PostEdited') {
    return use(posted.data.workspaceId, mediaUrls(posted.data), altTextsIn(posted.data))
  }
  const written = eventOf(draft, recorded)
  if (written?.type === 'DraftSaved') return use(written.data.workspaceId, mediaUrls(written.data.content))
  const made = eventOf(video, recorded)
  if (made?.type !== 'VideoRequested') return undefined
  const urls = made.data.scenes.flatMap((scene) => (scene.mediaSource === 'upload' ? [scene.mediaUrl] : []))
  return use(made.data.workspaceId, urls)
}

function altTextsIn(shown: Showing): MediaUse['altTexts'] {
  const texts = itemsOf(shown).flatMap(({ url, altText }): [string, string][] => {
    const id = uploadedFileIn(url)?.mediaId
    return id && altText ? [[id, altText]] : []
  })
  return new Map(texts)
}

function use(
  workspaceId: string,
  urls: readonly string[],
  altTexts: MediaUse['altTexts'] = new Map(),
): MediaUse | undefined {
  const mediaIds = [...new Set(urls.flatMap((url) => uploadedFileIn(url)?.mediaId ?? []))]
  return mediaIds.length === 0 ? undefined : { workspaceId, mediaIds, altTexts }
}
