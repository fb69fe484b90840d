import { isoTime } from '../../infra/runtime/clock.ts'
import { eachCheckedMedia } from '../kit/checked-media.ts'
import { checkedOptions } from '../kit/checked-options.ts'
import type { Platform } from '../kit/platform.ts'
import { fetchable } from '../kit/relay.ts'
import { authorization } from './authorization.ts'
import { connect } from './connect.ts'
import { credentialsSchema, placeOf } from './credentials.ts'
import { edit } from './edit.ts'
import { areAlike, findByContent, findPost } from './find.ts'
import { localPostHandle, type LocalPostHandle } from './handle.ts'
import { permissions } from './oauth.ts'
import { googlebusinessOptions } from './options.ts'
import { PUBLISH_TIMEOUT_MS, publishPost } from './publish.ts'
import { brokenRules, measure, TAKES, warnings } from './rules.ts'
import { unpublish } from './unpublish.ts'

/** Google Business Profile: updates, events and offers with an image, API v4. */
export const googlebusiness: Platform = {
  key: 'googlebusiness',
  // Posts cannot have a video; `video` only completes the type.
  proof: { image: 'searchable', video: 'searchable' },
  areAlike,
  // The list's lag is not documented; a minute beyond the call's own timeout is a safe margin.
  visibleWithinMs: 60_000,
  publishTimeoutMs: PUBLISH_TIMEOUT_MS,
  takes: TAKES,
  credentials: credentialsSchema,
  logins: [{ permissions, authorization }],
  connect,
  joinedOptions: [['event', 'offer']],
  check: brokenRules,
  measure,
  titleOf: ({ options }) => googlebusinessOptions.safeParse(options ?? {}).data?.event?.title,
  warnings,
  prepare: async (job, io, earlier) => {
    checkedOptions(googlebusinessOptions, job)
    // Google fetches the image itself.
    const [image] = await eachCheckedMedia(googlebusiness, job, io, (media, item) => fetchable(item, media, io.relay))
    // An earlier attempt may still show up, so keep its start as the beginning of the search.
    const since = localPostHandle(earlier)?.since ?? isoTime(io.clock.now())
    const handle: LocalPostHandle = { since, place: placeOf(await io.credentials.read()) }
    const isRelayed = image && image.url !== job.mediaUrl
    return { outcome: 'ready', handle: { ...handle, ...(isRelayed && { imageUrl: image.url }) } }
  },
  publish: publishPost,
  find: findPost,
  findByContent,
  unpublish,
  edit,
}
