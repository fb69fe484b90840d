import * as z from 'zod'
import { plainId } from '../kit/plain-id.ts'
import type { PlatformAccount } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { list } from './call.ts'
import { hostsOf } from './hosts.ts'
import type { Video } from './session.ts'
import { sameText, type VideoText } from './text.ts'

/** How far (ms) the clocks may differ: a video's date may be this much earlier than the call that created it. */
export const CLOCKS_APART_MS = 60_000
const MAX_PAGES = 4

const itemsAnswer = z.object({
  items: z.array(
    z.object({
      snippet: z.object({
        title: z.string(),
        description: z.string(),
        publishedAt: z.iso.datetime(),
        resourceId: z.object({ videoId: plainId }),
      }),
    }),
  ),
  nextPageToken: z.string().min(1).optional(),
})

/** A video in the channel's list of uploads. */
export interface ListedVideo extends Video, VideoText {}

/**
 * The uploads of a channel back to a point in time.
 *
 * @param since ms since the epoch
 * @returns `isWhole` is false if there are more than the page limit allows
 * @throws PlatformError
 */
export async function uploadsSince(
  playlistId: string,
  since: number,
  { baseUrl }: Pick<PlatformAccount, 'baseUrl'>,
  token: string,
  io: RestIo,
): Promise<{ readonly videos: readonly ListedVideo[]; readonly isWhole: boolean }> {
  // The list may grow while it is read and show a video twice.
  const videos = new Map<string, ListedVideo>()
  let pageToken = ''
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { part: 'snippet', playlistId, maxResults: '50', ...(pageToken && { pageToken }) }
    const { items, nextPageToken } = await list(`${hostsOf(baseUrl).api}/playlistItems`, query, token, itemsAnswer, io)
    const recent = items.filter(({ snippet }) => Date.parse(snippet.publishedAt) >= since)
    for (const { snippet } of recent) {
      const { title, description, publishedAt, resourceId } = snippet
      videos.set(resourceId.videoId, { id: resourceId.videoId, title, description, publishedAt })
    }
    // Newest first, so everything after an older video is older too.
    if (nextPageToken === undefined || recent.length < items.length) {
      return { videos: [...videos.values()], isWhole: true }
    }
    pageToken = nextPageToken
  }
  return { videos: [...videos.values()], isWhole: false }
}

/** Whether a video may have been published with this text. */
export function isAlike(video: ListedVideo, { title, description }: VideoText): boolean {
  return sameText(video.title, title) && sameText(video.description, description)
}
