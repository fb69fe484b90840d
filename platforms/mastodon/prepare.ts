import { isoTime } from '../../infra/runtime/clock.ts'
import { eachCheckedMedia } from '../kit/checked-media.ts'
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
import { isReady, marksOf, readHandle, type Handle } from './handle.ts'
import { rulesOf } from './limits.ts'
import { look, upload } from './media.ts'
import { mastodonOptions } from './options.ts'

const LOOK_AGAIN_MS = 2_000
/** Videos of a hundred megabytes take a few minutes. */
const MOST_PROCESSING_MS = 60 * 60_000

/** Uploads the media, or waits until it is processed. */
export async function prepare(
  platform: Platform,
  job: PublishJob,
  io: PlatformIo,
  given: PublishHandle | undefined,
): Promise<Prepared> {
  checkedOptions(mastodonOptions, job)
  const rules = rulesOf(platform, await io.credentials.read())
  if (job.mediaType === 'text') return prepareText(rules, job, io, given)
  const earlier = readHandle(given)
  return (earlier && (await goneOn(job, earlier, io))) ?? uploaded(rules, job, earlier, io)
}

/** @returns undefined if the media must be uploaded again */
async function goneOn({ account }: PublishJob, earlier: Handle, io: PlatformIo): Promise<Prepared | undefined> {
  const uploads: Handle['uploads'] = []
  for (const each of earlier.uploads) {
    const now = await look(each, account, io)
    if (!now) return undefined
    uploads.push(now)
  }
  return state({ ...earlier, uploads, sentBefore: earlier.sentBefore || isReady(earlier) }, io)
}

async function uploaded(
  rules: Parameters<typeof eachCheckedMedia>[0],
  job: PublishJob,
  earlier: Handle | undefined,
  io: PlatformIo,
): Promise<Prepared> {
  const since = earlier?.since ?? isoTime(io.clock.now())
  const attempt = earlier ? earlier.attempt + 1 : 0
  let index = 0
  const uploads = await eachCheckedMedia(rules, job, io, (media, { altText = '' }) => {
    const name = `${job.key}-${attempt}-${index++}`
    return upload(media, name, altText, job.account, io)
  })
  const handle: Handle = {
    uploads: uploads.map((each) => ({ ...each })),
    earlier: earlier ? [...earlier.earlier, ...marksOf(earlier)] : [],
    ...{ attempt, since },
    uploadedAt: isoTime(io.clock.now()),
    sentBefore: earlier !== undefined && (earlier.sentBefore || isReady(earlier)),
  }
  return state(handle, io)
}

function state(handle: Handle, { clock }: PlatformIo): Prepared {
  if (isReady(handle)) return { outcome: 'ready', handle }
  if (clock.now() - Date.parse(handle.uploadedAt) > MOST_PROCESSING_MS) {
    throw new PlatformError('permanent', 'Mastodon has not processed the media within an hour.')
  }
  return { outcome: 'processing', handle, lookAgainMs: LOOK_AGAIN_MS }
}
