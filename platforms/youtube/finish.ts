import * as z from 'zod'
import type { WantedMedia } from '../../infra/media/media.ts'
import { someMedia } from '../kit/checked-media.ts'
import { checkedOptions } from '../kit/checked-options.ts'
import { withToken } from '../kit/oauth-token.ts'
import { PlatformError, type PlatformIo, type PublishJob } from '../kit/platform.ts'
import { bodyOf, send, uploadTimeoutMs, type RestCall } from '../kit/rest.ts'
import { listAs } from './call.ts'
import { isUnknownVideo, refused } from './errors.ts'
import { hostsOf } from './hosts.ts'
import { renewalAt } from './oauth.ts'
import { videoOptions } from './options.ts'
import { WAIT_MS, type Finished } from './processing.ts'
import type { Upload, Video } from './session.ts'

/*
 * What is done with a video once it is on the channel: its thumbnail, and the playlist. If that fails, the video stays, and the
 * result says so.
 */

/** `maxBytes`: as documented since September 2026; 2 MB before. */
export const TAKEN_THUMBNAIL = { types: ['image/jpeg', 'image/png'], maxBytes: 50_000_000, isSentLater: true } as const
const THUMBNAIL: WantedMedia = {
  mediaType: 'image',
  maxBytes: TAKEN_THUMBNAIL.maxBytes,
  shape: { image: TAKEN_THUMBNAIL, by: 'pad' },
}

/** Does what is not settled yet. May be repeated: nothing is done twice. */
export async function finish(video: Video, upload: Upload, job: PublishJob, io: PlatformIo): Promise<Finished> {
  const [{ thumbnailUrl }] = someMedia(job)
  const { playlistId } = checkedOptions(videoOptions, job)
  const asked = {
    thumbnail: thumbnailUrl !== undefined && (() => setThumbnail(video, thumbnailUrl, job, io)),
    playlist: playlistId !== undefined && (() => addToPlaylist(video, playlistId, job, io)),
  }
  const settled = { ...upload.settled }
  const open: string[] = []
  let handle: Upload | undefined
  for (const name of STEPS) {
    const run = asked[name]
    if (!run || settled[name] !== undefined) continue
    const { isFinal, note } = await outcomeOf(name, run)
    if (!isFinal) {
      open.push(note)
      continue
    }
    settled[name] = note
    handle = { ...upload, settled }
  }
  const notes = [...STEPS.flatMap((name) => settled[name] ?? []), ...open].filter((note) => note !== '')
  return { notes, isOpen: open.length > 0, ...(handle && { handle }) }
}

async function outcomeOf(
  name: Step,
  run: () => Promise<void>,
): Promise<{ readonly isFinal: boolean; readonly note: string }> {
  try {
    await run()
    return { isFinal: true, note: '' }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    const isPassing = error.kind === 'retryable' || error.kind === 'ambiguous' || isUnknownVideo(error)
    const isFinal = !isPassing || (error.retryAfterMs ?? 0) > WAIT_MS
    return { isFinal, note: `${NOT_DONE[name]}: ${error.message}` }
  }
}

const STEPS = ['thumbnail', 'playlist'] as const
type Step = (typeof STEPS)[number]

const NOT_DONE: Readonly<Record<Step, string>> = {
  thumbnail: 'The thumbnail is not set; set it in YouTube Studio',
  playlist: 'The video is not in the playlist; add it in YouTube Studio',
}

/** Replaces an earlier one. */
async function setThumbnail(
  { id: videoId }: Video,
  url: string,
  { account: { baseUrl } }: PublishJob,
  io: PlatformIo,
): Promise<void> {
  const image = await io.media.spool(url, THUMBNAIL, io.signal)
  try {
    const { mimeType: type, bytes } = image.facts
    const query = new URLSearchParams({ uploadType: 'media', videoId })
    const call: RestCall = {
      method: 'POST',
      url: `${hostsOf(baseUrl).upload}/thumbnails/set?${query}`,
      content: { type, bytes, open: () => image.open() },
      timeoutMs: uploadTimeoutMs(bytes),
    }
    await withToken(io, renewalAt(baseUrl), async (token) => {
      const response = await send('youtube', { ...call, token }, io)
      if (response.status !== 200) throw refused(response, call.effect, io.clock)
    })
  } finally {
    await image.dispose()
  }
}

const found = z.object({ items: z.array(z.unknown()) })
const added = z.object({ id: z.string() })

/** YouTube would add it again. */
async function addToPlaylist(
  { id: videoId }: Video,
  playlistId: string,
  { account }: PublishJob,
  io: PlatformIo,
): Promise<void> {
  const { items } = await listAs(account, 'playlistItems', { part: 'id', playlistId, videoId }, found, io)
  if (items.length > 0) return
  const resourceId = { kind: 'youtube#video', videoId }
  const call: RestCall = {
    method: 'POST',
    url: `${hostsOf(account.baseUrl).api}/playlistItems?part=snippet`,
    json: { snippet: { playlistId, resourceId } },
    effect: 'visible',
  }
  await withToken(io, renewalAt(account.baseUrl), async (token) => {
    const response = await send('youtube', { ...call, token }, io)
    if (response.status !== 200) throw refused(response, call.effect, io.clock)
    bodyOf('youtube', call, response, added)
  })
}
