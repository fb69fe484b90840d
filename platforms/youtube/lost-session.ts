import { z } from 'zod'
import { PlatformError, type Credentials, type PublishJob } from '../platform.ts'
import type { RestIo } from '../rest.ts'
import { list } from './call.ts'
import { kept } from './credentials.ts'
import { isExpired } from './errors.ts'
import { hostsOf } from './hosts.ts'
import type { Upload, Video } from './session.ts'
import { sameText, titleOf } from './text.ts'
import { plainId } from '../plain-id.ts'

/** Between their clock and ours: what a video may be older than its session. */
const CLOCKS_APART_MS = 60_000
/** The same, where it must not be missed. */
const CLOCKS_FAR_APART_MS = 86_400_000
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
type Item = z.infer<typeof itemsAnswer>['items'][number]['snippet']

/**
 * Looks among the channel's uploads for the video of a session that is forgotten, and may have been complete.
 *
 * @param absentIsSureFrom milliseconds since the epoch: by then the video would surely be listed, had it been published
 * @throws PlatformError `ambiguous` when the list does not tell; `retryable` with `anew` when there surely is no video
 */
export async function findLost(
  job: PublishJob,
  upload: Upload,
  absentIsSureFrom: number,
  token: string,
  credentials: Credentials,
  io: RestIo,
): Promise<Video> {
  const startedAt = Date.parse(upload.startedAt)
  const since = (margin: number) => (item: Item) => Date.parse(item.publishedAt) >= startedAt - margin
  const uploads = await listed(job, kept(credentials).uploadsPlaylistId, since(CLOCKS_FAR_APART_MS), token, io)
  const alike = uploads.filter((item) => isAlike(item, job.text))
  const [found, ...others] = alike.filter(since(CLOCKS_APART_MS))
  if (found && others.length === 0) return { id: found.resourceId.videoId, publishedAt: found.publishedAt }
  if (alike.length > 0) throw unknown(`the channel has ${alike.length} videos that may be the one`)
  if (io.clock.now() < absentIsSureFrom) throw unknown('the channel does not list the video, yet')
  throw sessionGone()
}

/** For a session that was surely not complete. */
export function sessionGone(): PlatformError {
  return new PlatformError('retryable', 'YouTube has forgotten the upload before it was complete.', { anew: true })
}

async function listed(
  job: PublishJob,
  playlistId: string | undefined,
  recent: (item: Item) => boolean,
  token: string,
  io: RestIo,
): Promise<readonly Item[]> {
  if (playlistId === undefined) throw unknown('the channel has no list of uploads')
  const items: Item[] = []
  let pageToken = ''
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { part: 'snippet', playlistId, maxResults: '50', ...(pageToken && { pageToken }) }
    const url = `${hostsOf(job.account.baseUrl).api}/playlistItems`
    const answer = await list(url, query, token, itemsAnswer, io).catch((error: unknown) => {
      if (!(error instanceof PlatformError) || isExpired(error)) throw error
      throw unknown(error.message, error)
    })
    const found = answer.items.map(({ snippet }) => snippet)
    items.push(...found)
    // Newest first: behind an older one there is nothing that matters.
    if (answer.nextPageToken === undefined || !found.every(recent)) return items.filter(recent)
    pageToken = answer.nextPageToken
  }
  throw unknown('the list of the channel is too long')
}

function isAlike({ title, description }: Item, text: string): boolean {
  return sameText(title, titleOf(text)) && sameText(description, text)
}

function unknown(why: string, cause?: unknown): PlatformError {
  const message = `YouTube has forgotten the upload, which may have been complete: ${why}`
  return new PlatformError('ambiguous', message, { cause })
}
