import { z } from 'zod'
import { PlatformError, type PublishJob } from '../platform.ts'
import { quoted, type RestIo } from '../rest.ts'
import { isTrouble, ThreadsError } from './errors.ts'
import { graph, type Session } from './graph.ts'
import { meaningOf, troubleIn, type Trouble } from './trouble.ts'

/** Making one may wait for Threads to fetch an image. */
const CREATE_TIMEOUT_MS = 60_000

/** How a container stands, and where that can't be told, why. */
export type ContainerState =
  | { readonly is: 'in progress' }
  | { readonly is: 'finished' }
  | { readonly is: 'published' }
  | { readonly is: 'expired' }
  | { readonly is: 'failed'; readonly trouble: Trouble; readonly why: string }
  /** Threads does not know it, or does not show it. */
  | { readonly is: 'unreadable'; readonly error: ThreadsError }
  /** No answer that says anything. */
  | { readonly is: 'untold'; readonly error: PlatformError }

const created = z.object({ id: z.string().min(1) })
const status = z.object({ status: z.string(), error_message: z.string().catch('') })
const quota = z.object({
  data: z.tuple([z.object({ quota_usage: z.number(), config: z.object({ quota_total: z.number() }) })]),
})

const STATES: Readonly<Record<string, ContainerState>> = {
  IN_PROGRESS: { is: 'in progress' },
  FINISHED: { is: 'finished' },
  PUBLISHED: { is: 'published' },
  EXPIRED: { is: 'expired' },
}

/**
 * Has Threads fetch the media. Nobody sees a container, and one too many ends by itself.
 *
 * @returns its id
 * @throws PlatformError
 */
export async function createContainer(job: PublishJob, session: Session, io: RestIo): Promise<string> {
  const form = { ...mediaOf(job), ...(job.text !== '' && { text: job.text }) }
  const path = `/${job.account.externalId}/threads`
  const call = { method: 'POST', path, form, timeoutMs: CREATE_TIMEOUT_MS } as const
  const create = async (): Promise<string> => (await graph(session, call, created, io)).id
  try {
    return await create()
  } catch (error) {
    // Worth one more try, as where a container fails for it.
    if (isTrouble(error, 'unfetchable')) return create()
    throw error
  }
}

/** In the plain ASCII form of the URL. */
function mediaOf({ mediaUrl, mediaType }: PublishJob): Readonly<Record<string, string>> {
  const url = new URL(mediaUrl).href
  return mediaType === 'image' ? { media_type: 'IMAGE', image_url: url } : { media_type: 'VIDEO', video_url: url }
}

/** @throws PlatformError when the account has to wait, or to be connected again: no look at another container helps */
export async function readContainer(id: string, session: Session, io: RestIo): Promise<ContainerState> {
  const call = { method: 'GET', path: `/${id}`, query: { fields: 'status,error_message' } } as const
  try {
    const { status: word, error_message: reason } = await graph(session, call, status, io)
    if (word === 'ERROR') return failedFor(reason)
    return (
      STATES[word] ?? {
        is: 'untold',
        error: new PlatformError('retryable', `Threads calls what was prepared ${quoted(word)}.`),
      }
    )
  } catch (error) {
    if (isTrouble(error, 'has no status')) return { is: 'published' }
    if (isTrouble(error, 'gone', 'unreadable')) return { is: 'unreadable', error }
    if (error instanceof PlatformError && error.kind === 'retryable' && !error.accountRests) {
      return { is: 'untold', error }
    }
    throw error
  }
}

function failedFor(reason: string): ContainerState {
  const trouble = troubleIn(reason)
  const { says } = meaningOf(trouble)
  return { is: 'failed', trouble, why: reason === '' ? `${says}.` : `${says}: ${quoted(reason)}.` }
}

/**
 * Asks whether the account may publish today. That it can't be told is no reason not to try.
 *
 * @throws ThreadsError `retryable` when it may not
 */
export async function mustHaveQuota(accountId: string, session: Session, io: RestIo): Promise<void> {
  const path = `/${accountId}/threads_publishing_limit`
  const call = { method: 'GET', path, query: { fields: 'quota_usage,config' } } as const
  const answer = await graph(session, call, quota, io).catch((error: unknown) => {
    if (error instanceof PlatformError && error.kind !== 'needs-reauth' && !error.accountRests) return undefined
    throw error
  })
  if (!answer) return
  const [{ quota_usage: used, config }] = answer.data
  if (used < config.quota_total) return
  const { says, waitMs } = meaningOf('quota')
  throw new ThreadsError('retryable', `${says}: ${used} of ${config.quota_total}.`, {
    trouble: 'quota',
    retryAfterMs: waitMs,
    accountRests: true,
  })
}
