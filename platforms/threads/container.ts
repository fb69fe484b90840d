import * as z from 'zod'
import { newContainer, stateCalled, unknownState, type ContainerState } from '../meta/container.ts'
import type { Session } from '../meta/graph.ts'
import type { PlatformError, PublishJob } from '../kit/platform.ts'
import { quoted, type RestIo } from '../kit/rest.ts'
import { api, graph, is } from './api.ts'
import { AGAIN, errors, refusalIn } from './errors.ts'

export type State =
  | ContainerState
  /** Threads does not know it, or does not show it. */
  | { readonly is: 'unreadable'; readonly error: PlatformError }

const status = z.object({ status: z.string(), error_message: z.string().catch('') })

/** @throws PlatformError */
export function createContainer(job: PublishJob, session: Session, io: RestIo): Promise<string> {
  const form = { ...mediaOf(job), ...(job.text !== '' && { text: job.text }) }
  return newContainer(api, { path: `/${job.account.externalId}/threads`, form }, ['unfetchable'], session, io)
}

/** The URL in ASCII form. */
function mediaOf({ mediaUrl, mediaType }: PublishJob): Readonly<Record<string, string>> {
  const url = new URL(mediaUrl).href
  return mediaType === 'image' ? { media_type: 'IMAGE', image_url: url } : { media_type: 'VIDEO', video_url: url }
}

/** @throws PlatformError when the account has to wait or to be connected again: another look would not help */
export async function readContainer(id: string, session: Session, io: RestIo): Promise<State> {
  const call = { method: 'GET', path: `/${id}`, query: { fields: 'status,error_message' } } as const
  try {
    const { status: word, error_message: reason } = await graph(session, call, status, io)
    return word === 'ERROR' ? failedFor(reason) : stateCalled(word, api)
  } catch (error) {
    if (is(error, 'has no status')) return { is: 'published' }
    if (is(error, 'gone', 'unreadable')) return { is: 'unreadable', error }
    return unknownState(error)
  }
}

function failedFor(reason: string): State {
  const refusal = refusalIn(reason)
  const says = errors.rows[refusal].text
  return { is: 'failed', again: AGAIN[refusal], why: reason === '' ? `${says}.` : `${says}: ${quoted(reason)}.` }
}
