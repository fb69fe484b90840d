import { z } from 'zod'
import { PlatformError, type PublishJob } from '../platform.ts'
import { quoted, type RestIo } from '../rest.ts'
import { InstagramError, isTrouble } from './errors.ts'
import { graph, type Session } from './graph.ts'
import { meaningOf, troubleIn, type Trouble } from './trouble.ts'

/** Making one may wait for Instagram to fetch an image. */
const CREATE_TIMEOUT_MS = 60_000

/** How a container stands, and where that can't be told, why. */
export type ContainerState =
  | { readonly is: 'in progress' }
  | { readonly is: 'finished' }
  | { readonly is: 'published' }
  | { readonly is: 'expired' }
  | { readonly is: 'failed'; readonly trouble: Trouble | undefined; readonly why: string }
  /** Instagram says that it knows no such container. */
  | { readonly is: 'gone' }
  | { readonly is: 'unreadable' }
  /** No answer that says anything. */
  | { readonly is: 'untold'; readonly error: PlatformError }

const created = z.object({ id: z.string().min(1) })
const status = z.object({ status_code: z.string(), status: z.string().catch('') })
const quota = z.object({
  data: z.tuple([
    z.object({
      quota_usage: z.number(),
      config: z.object({ quota_total: z.number(), quota_duration: z.number().positive() }),
    }),
  ]),
})

const STATES: ReadonlyMap<string, ContainerState> = new Map([
  ['IN_PROGRESS', { is: 'in progress' }],
  ['FINISHED', { is: 'finished' }],
  ['PUBLISHED', { is: 'published' }],
  ['EXPIRED', { is: 'expired' }],
])

/**
 * Has Instagram fetch the media. Nobody sees a container, and one too many ends by itself.
 *
 * @returns its id
 * @throws PlatformError
 */
export async function createContainer(job: PublishJob, session: Session, io: RestIo): Promise<string> {
  const form = { ...mediaOf(job), ...(job.text !== '' && { caption: job.text }) }
  const path = `/${job.account.externalId}/media`
  const call = { method: 'POST', path, form, timeoutMs: CREATE_TIMEOUT_MS } as const
  const create = async (): Promise<string> => (await graph(session, call, created, io)).id
  try {
    return await create()
  } catch (error) {
    // Worth one more try, as where a container fails for these.
    if (isTrouble(error, 'unfetchable', 'failed processing')) return create()
    throw error
  }
}

/** In the plain ASCII form that Instagram asks for. Every single video is a reel, here one that the feed shows too. */
function mediaOf({ mediaUrl, mediaType }: PublishJob): Readonly<Record<string, string>> {
  const url = new URL(mediaUrl).href
  return mediaType === 'image' ? { image_url: url } : { media_type: 'REELS', video_url: url, share_to_feed: 'true' }
}

/** @throws PlatformError when the account has to wait, or to be connected again: no look at another container helps */
export async function readContainer(id: string, session: Session, io: RestIo): Promise<ContainerState> {
  const call = { method: 'GET', path: `/${id}`, query: { fields: 'status_code,status' } } as const
  try {
    const { status_code: code, status: prose } = await graph(session, call, status, io)
    if (code === 'ERROR') return failedFor(prose)
    return (
      STATES.get(code) ?? {
        is: 'untold',
        error: new PlatformError('retryable', `Instagram calls what was prepared ${quoted(code)}.`),
      }
    )
  } catch (error) {
    if (isTrouble(error, 'gone')) return { is: 'gone' }
    if (isTrouble(error, 'unreadable')) return { is: 'unreadable' }
    if (error instanceof PlatformError && error.kind === 'retryable' && !error.accountRests) {
      return { is: 'untold', error }
    }
    throw error
  }
}

function failedFor(prose: string): ContainerState {
  const trouble = troubleIn(prose)
  const says = trouble ? meaningOf(trouble).says : 'Instagram could not process the media'
  return { is: 'failed', trouble, why: prose === '' ? `${says}.` : `${says}: ${quoted(prose)}` }
}

/**
 * Asks whether the account may publish today. That it can't be told is no reason not to try.
 *
 * @throws InstagramError `retryable` when it may not
 */
export async function mustHaveQuota(accountId: string, session: Session, io: RestIo): Promise<void> {
  const path = `/${accountId}/content_publishing_limit`
  const call = { method: 'GET', path, query: { fields: 'quota_usage,config' } } as const
  const answer = await graph(session, call, quota, io).catch((error: unknown) => {
    if (error instanceof PlatformError && error.kind !== 'needs-reauth' && !error.accountRests) return undefined
    throw error
  })
  if (!answer) return
  const [{ quota_usage: used, config }] = answer.data
  if (used < config.quota_total) return
  const { says, waitMs } = meaningOf('quota')
  throw new InstagramError('retryable', `${says}: ${used} of ${config.quota_total}.`, {
    trouble: 'quota',
    retryAfterMs: waitMs,
    accountRests: true,
  })
}
