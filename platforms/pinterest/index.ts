import { mediaOf } from '../../domain/post/post-media.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { checkedMedia, eachCheckedMedia } from '../kit/checked-media.ts'
import type { Platform, PlatformIo, Prepared, PublishJob } from '../kit/platform.ts'
import { fetchable } from '../kit/relay.ts'
import { analytics } from './analytics.ts'
import { pinterestApi } from './api.ts'
import { authorization, optional } from './authorization.ts'
import { destinations } from './boards.ts'
import { connect } from './connect.ts'
import { credentialsSchema, defaultsOf, destinationOf } from './credentials.ts'
import { edit } from './edit.ts'
import { findByContent, findPin } from './find.ts'
import { pinHandle, type PinHandle } from './handle.ts'
import { permissions } from './oauth.ts'
import { pinDefaults, pinOptions } from './options.ts'
import { PUBLISH_TIMEOUT_MS, publishPin } from './publish.ts'
import { brokenRules, TAKES } from './rules.ts'
import { measured, pinText, sameText } from './text.ts'
import { unpublish } from './unpublish.ts'
import { uploadVideo } from './upload.ts'
import { look, mustBeWorthUploading, toProcess } from './video.ts'

/** Pinterest, API v5. */
export const pinterest: Platform = {
  key: 'pinterest',
  proof: { image: 'searchable', video: 'searchable' },
  areAlike: sameText,
  // The lists' lag is not documented; a minute beyond the call's own timeout is a safe margin.
  visibleWithinMs: 60_000,
  publishTimeoutMs: PUBLISH_TIMEOUT_MS,
  takes: TAKES,
  credentials: credentialsSchema,
  logins: [{ permissions, optional, authorization }],
  connect,
  joinedOptions: [['boardId', 'boardSectionId']],
  postDefaults: { schema: pinDefaults, from: defaultsOf, destinations },
  check: brokenRules,
  measure: ({ text }) => measured(text),
  titleOf: ({ text, options }) => pinOptions.safeParse(options ?? {}).data?.title ?? pinText(text).title,
  prepare: async (job, io, earlier) => {
    const known = pinHandle(earlier)
    const prepared = known?.upload ? await uploadedBefore(job, known, io) : undefined
    return prepared ?? prepareAnew(job, known, io)
  },
  publish: async (job, handle, io) => ({ outcome: 'published', published: await publishPin(job, handle, io) }),
  find: findPin,
  findByContent,
  unpublish,
  edit,
  analytics,
}

/** @returns undefined if Pinterest no longer knows the video */
async function uploadedBefore(job: PublishJob, known: PinHandle, io: PlatformIo): Promise<Prepared | undefined> {
  if (!known.upload) return undefined
  const answer = await look(known.upload, pinterestApi(job.account.baseUrl, io), io)
  return answer.outcome === 'gone' ? undefined : { ...answer, handle: known }
}

async function prepareAnew(job: PublishJob, known: PinHandle | undefined, io: PlatformIo): Promise<Prepared> {
  mustBeWorthUploading(known?.upload)
  // An earlier attempt may still show up, so keep its start as the beginning of the search.
  const since = known?.since ?? isoTime(io.clock.now())
  const api = pinterestApi(job.account.baseUrl, io)
  const handle: PinHandle = { since, destination: destinationOf(job, await io.credentials.read()) }
  if (job.mediaType === 'image') {
    // Pinterest fetches images itself.
    const images = await eachCheckedMedia(pinterest, job, io, (media, item) => fetchable(item, media, io.relay))
    const urls = images.map(({ url }) => url)
    const isRelayed = mediaOf(job).some(({ url }, index) => url !== urls[index])
    return { outcome: 'ready', handle: { ...handle, ...(isRelayed && { imageUrls: urls }) } }
  }
  const video = await checkedMedia(pinterest, job, io)
  try {
    return toProcess(handle, await uploadVideo(video, api, io), known?.upload, io)
  } finally {
    await video.dispose()
  }
}
