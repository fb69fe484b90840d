import { z } from 'zod'
import { plainId } from '../kit/plain-id.ts'
import type { PlatformAccount } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { list } from './call.ts'
import { hostsOf } from './hosts.ts'
import type { Video } from './session.ts'
import { sameText, titleOf } from './text.ts'

/** Between their clock and ours (ms): what a video may be older than the call that made it. */
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

/** A video as the channel's list of uploads has it. */
export interface ListedVideo extends Video {
  readonly title: string
  readonly description: string
}

/**
 * The uploads of a channel back to a time.
 *
 * @param since ms since the epoch
 * @returns `isWhole`: false where there are more than are looked through
 * @throws PlatformError
 */
export async function uploadsSince(
  playlistId: string,
  since: number,
  { baseUrl }: Pick<PlatformAccount, 'baseUrl'>,
  token: string,
  io: RestIo,
): Promise<{ readonly videos: readonly ListedVideo[]; readonly isWhole: boolean }> {
  // A list that is read while it grows may tell one twice.
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
    // Newest first: behind an older one there is nothing that matters.
    if (nextPageToken === undefined || recent.length < items.length) {
      return { videos: [...videos.values()], isWhole: true }
    }
    pageToken = nextPageToken
  }
  return { videos: [...videos.values()], isWhole: false }
}

/** Whether a video may be of this text. */
export function isAlike({ title, description }: ListedVideo, text: string): boolean {
  return sameText(title, titleOf(text)) && sameText(description, text)
}
