import { eachCheckedMedia, noMedia, someMedia } from '../kit/checked-media.ts'
import { hasStatus } from '../kit/errors.ts'
import {
  PlatformError,
  type Platform,
  type PlatformIo,
  type Prepared,
  type Published,
  type PublishHandle,
  type PublishJob,
} from '../kit/platform.ts'
import { unreadableText } from '../kit/rest.ts'
import { prepareText, readTextHandle, type TextHandle } from '../kit/text-handle.ts'
import { callAs } from './api.ts'
import { handleOf, processed, uploaded, type Handle } from './asset.ts'
import { isOrganization } from './author.ts'
import { documentTitle, titleOf } from './document-title.ts'
import { edit } from './edit.ts'
import { logins } from './logins.ts'
import { connect, credentials } from './connect.ts'
import { conversation } from './conversation.ts'
import { find, findByContent } from './find.ts'
import { firstComment } from './first-comment.ts'
import { toLittle } from './little.ts'
import { optionsOf } from './options.ts'
import { publishedAs } from './published.ts'
import { brokenRules, measure, TAKES } from './rules.ts'
import { unpublish } from './unpublish.ts'
import { upload } from './upload.ts'
import { isPostUrn } from './urn.ts'
import { versions } from './version.ts'

const CREATED = 201

/** Posts of members and organization pages, through LinkedIn's versioned Posts API. */
export const linkedin: Platform = {
  key: 'linkedin',
  proof: { image: 'searchable', video: 'searchable', document: 'searchable', text: 'searchable' },
  // Reported as about 10 s.
  visibleWithinMs: 60_000,
  takes: TAKES,
  credentials,
  logins,
  connect,
  check: brokenRules,
  measure,
  titleOf,
  prepare: async (job, io, earlier) => {
    optionsOf(job)
    if (job.mediaType === 'text') return prepareText(linkedin, job, io, earlier)
    const handle = handleOf(earlier)
    return (handle && (await processed(handle, job, io))) ?? uploadedAnew(job, io)
  },
  publish: async (job, handle, io) => ({ outcome: 'published', published: await publish(job, readable(handle), io) }),
  find: (job, handle, io, others) => find(job, readable(handle), io, others),
  findByContent,
  unpublish,
  edit,
  firstComment,
  conversation,
  versions,
}

async function uploadedAnew(job: PublishJob, io: PlatformIo): Promise<Prepared> {
  const [asset, ...more] = await eachCheckedMedia(linkedin, job, io, (media) => upload(media, job.account, io))
  if (asset === undefined) throw noMedia()
  return uploaded(asset, more, job, io)
}

async function publish(job: PublishJob, handle: Handle | TextHandle, io: PlatformIo): Promise<Published> {
  const { externalId: author, baseUrl } = job.account
  const { visibility = 'PUBLIC', ...titles } = optionsOf(job)
  const json = {
    author,
    commentary: toLittle(job.text),
    visibility,
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    ...('asset' in handle && { content: contentOf(job, handle, titles) }),
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
  }
  try {
    const call = { method: 'POST', path: '/rest/posts', json, effect: 'visible' } as const
    const { status, headers } = await callAs(baseUrl, call, io)
    const unreadable = `${unreadableText('LinkedIn')} (HTTP ${status}).`
    if (status !== CREATED) throw new PlatformError('ambiguous', unreadable)
    const urn = (headers['x-restli-id'] ?? '').replaceAll(/%3a/gi, ':')
    if (isPostUrn(urn)) return publishedAs(urn)
    // Even without a URN the post is published; fall back to the URN of its media.
    if ('asset' in handle) return { postId: handle.asset }
    throw new PlatformError('ambiguous', unreadable)
  } catch (error) {
    const mayBeOurs = !('since' in handle) || handle.sentBefore
    const repeated = hasStatus(error, 422) && isOrganization(author) && mayBeOurs
    const found = repeated ? await earlierPost(error, job, handle, io) : undefined
    if (found) return found
    throw error
  }
}

function contentOf(
  job: PublishJob,
  { asset, more }: Handle,
  { title, documentTitle: given }: Pick<ReturnType<typeof optionsOf>, 'title' | 'documentTitle'>,
): object {
  const items = someMedia(job)
  if (items[0].type === 'document') return { media: { id: asset, title: given ?? documentTitle(job) } }
  const images = [asset, ...more].map((id, index) => {
    const { altText = '', type } = items[index] ?? items[0]
    return { id, ...(altText !== '' && type === 'image' && { altText }) }
  })
  return images.length > 1
    ? { multiImage: { images } }
    : { media: { ...images[0], ...(title !== undefined && { title }) } }
}

/** A duplicate refusal may refer to this very post, from a call whose answer was lost. Only a page can check. */
async function earlierPost(
  { message }: PlatformError,
  job: PublishJob,
  handle: Handle | TextHandle,
  io: PlatformIo,
): Promise<Published | undefined> {
  // The search that follows knows the other posts with the same text.
  if ('since' in handle) throw new PlatformError('ambiguous', message)

  const search = await find(job, handle, io).catch((cause: unknown) => {
    throw new PlatformError('ambiguous', message, { cause })
  })
  return search.outcome === 'found' ? search.found : undefined
}

function readable(recorded: PublishHandle): Handle | TextHandle {
  const handle = handleOf(recorded) ?? readTextHandle(recorded)
  if (handle) return handle
  throw new PlatformError('permanent', 'The data prepared for LinkedIn could not be read. Publish the post again.')
}
