import { isoTime } from '../../infra/runtime/clock.ts'
import { eachCheckedMedia, noMedia } from '../kit/checked-media.ts'
import { checkedOptions } from '../kit/checked-options.ts'
import {
  PlatformError,
  type Platform,
  type PlatformIo,
  type Prepared,
  type PublishHandle,
  type PublishJob,
} from '../kit/platform.ts'
import { prepareText } from '../kit/text-handle.ts'
import { readHandle, type Handle } from './handle.ts'
import { xOptions } from './options.ts'
import { mediaState, mustNotBeStuck } from './processing.ts'
import { rulesOf } from './rules.ts'
import { setAltText, upload } from './upload.ts'

/** An upload that expires sooner than this is not reused, as the post may have to wait. */
const MARGIN_MS = 5 * 60_000
/** How many uploads X may lose while processing before we give up. */
const MOST_LOST = 4

/** Uploads the media, or resumes with an earlier upload. */
export async function prepare(
  platform: Pick<Platform, 'key' | 'takes'>,
  job: PublishJob,
  io: PlatformIo,
  given: PublishHandle | undefined,
): Promise<Prepared> {
  checkedOptions(xOptions, job)
  if (job.mediaType === 'text') return prepareText(rulesOf(platform, await io.credentials.read()), job, io, given)
  const earlier = readHandle(given)
  return (earlier && (await goneOn(job, earlier, io))) ?? begun(platform, job, earlier, io)
}

/** @returns undefined if the media must be uploaded again */
async function goneOn(job: PublishJob, earlier: Handle, io: PlatformIo): Promise<Prepared | undefined> {
  if (Date.parse(earlier.expiresAt) - io.clock.now() < MARGIN_MS) return undefined
  // X has no status for images, and uploading one again is quick.
  if (earlier.ready && job.mediaType === 'image') return undefined
  const state = await mediaState(earlier.mediaId, job.account, io)
  switch (state?.state) {
    case undefined:
      if (!earlier.ready && earlier.earlierKeys.length >= MOST_LOST) {
        throw new PlatformError('permanent', 'X repeatedly lost the uploaded media.')
      }
      return undefined
    case 'ready':
      return { outcome: 'ready', handle: { ...earlier, ready: true, sentBefore: earlier.sentBefore || earlier.ready } }
    case 'failed':
      throw new PlatformError('permanent', state.error)
    case 'processing':
      mustNotBeStuck(earlier.uploadedAt, io.clock.now())
      return { outcome: 'processing', handle: earlier, lookAgainMs: state.lookAgainMs }
  }
}

async function begun(
  platform: Pick<Platform, 'key' | 'takes'>,
  job: PublishJob,
  earlier: Handle | undefined,
  io: PlatformIo,
): Promise<Prepared> {
  const rules = rulesOf(platform, await io.credentials.read())
  const since = earlier?.since ?? isoTime(io.clock.now())
  const uploads = await eachCheckedMedia(rules, job, io, async (media, { altText = '' }) => {
    const uploaded = await upload(media, job.account, io)
    if (uploaded.state.state === 'failed') throw new PlatformError('permanent', uploaded.state.error)
    if (altText !== '' && platform.takes[media.facts.mediaType]?.altText)
      await setAltText(uploaded.id, altText, job, io)
    return { ...uploaded, expiresAt: io.clock.now() + uploaded.expiresInMs }
  })
  const [first, ...more] = uploads
  if (!first) throw noMedia()
  // Only one that is alone needs processing.
  const { id: mediaId, key: mediaKey, state } = first
  const handle: Handle = {
    mediaId,
    mediaKey,
    moreIds: more.map(({ id }) => id),
    earlierKeys: earlier ? [...earlier.earlierKeys, earlier.mediaKey] : [],
    since,
    uploadedAt: isoTime(io.clock.now()),
    expiresAt: isoTime(Math.min(...[first, ...more].map(({ expiresAt }) => expiresAt))),
    ready: state.state === 'ready',
    sentBefore: earlier !== undefined && (earlier.sentBefore || earlier.ready),
  }
  return state.state === 'processing'
    ? { outcome: 'processing', handle, lookAgainMs: state.lookAgainMs }
    : { outcome: 'ready', handle }
}
