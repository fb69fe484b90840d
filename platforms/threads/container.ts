import * as z from 'zod'
import { newContainer, stateCalled, unknownState, type ContainerState } from '../meta/container.ts'
import type { Session } from '../meta/graph.ts'
import type { Contents } from '../meta/prepare.ts'
import { checkedOptions } from '../kit/checked-options.ts'
import type { PlatformError, PublishJob } from '../kit/platform.ts'
import { quoted, type RestIo } from '../kit/rest.ts'
import { api, graph, is } from './api.ts'
import { AGAIN, errors, refusalIn } from './errors.ts'
import { threadsOptions } from './options.ts'

export type State =
  | ContainerState
  /** Threads does not know it, or does not show it. */
  | { readonly is: 'unreadable'; readonly error: PlatformError }

const status = z.object({ status: z.string(), error_message: z.string().catch('') })

/** @throws PlatformError */
export function createContainer(job: PublishJob, contents: Contents, session: Session, io: RestIo): Promise<string> {
  const isChild = 'item' in contents && contents.isChild
  const further = isChild ? { is_carousel_item: 'true' } : ofPost(job)
  const form = { ...formOf(contents), ...further }
  const path = `/${job.account.externalId}/threads`
  return newContainer(api, { path, form }, ['unfetchable'], session, io)
}

/** Topic and reply control are those of the first part of a chain. */
function ofPost(job: PublishJob): Readonly<Record<string, string>> {
  const { text, inReplyTo } = job
  const { topic, replyControl } = checkedOptions(threadsOptions, job)
  const own = inReplyTo
    ? { reply_to_id: inReplyTo.previous.postId }
    : {
        ...(topic !== undefined && { topic_tag: topic }),
        ...(replyControl !== undefined && { reply_control: replyControl }),
      }
  return { ...(text !== '' && { text }), ...own }
}

/** URLs in ASCII form. */
function formOf(contents: Contents): Readonly<Record<string, string>> {
  if ('text' in contents) return { media_type: 'TEXT' }
  if ('children' in contents) return { media_type: 'CAROUSEL', children: contents.children.join(',') }
  const { type, url, altText = '' } = contents.item
  const { href } = new URL(url)
  const alt = altText === '' ? {} : { alt_text: altText }
  return type === 'image'
    ? { media_type: 'IMAGE', image_url: href, ...alt }
    : { media_type: 'VIDEO', video_url: href, ...alt }
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
