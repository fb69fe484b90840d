import * as z from 'zod'
import type { Session } from '../meta/graph.ts'
import { brokenStoryComment } from '../meta/placement.ts'
import { readsAs } from '../meta/same-text.ts'
import type { FirstComment } from '../kit/first-comment.ts'
import { PlatformError, type Published, type PublishJob, type Search } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { videoIn } from './address.ts'
import { errorOf, graph, is } from './api.ts'
import { hasComments } from './comment-count.ts'
import { listOf } from './list.ts'
import { withSession } from './session.ts'
import { plainId } from '../kit/plain-id.ts'

/** A newly published post may not be available everywhere yet. */
const NOT_KNOWN_YET_MS = 5_000
/** As for posts. */
const VISIBLE_WITHIN_MS = 30_000
/** A thousand comments: more than accumulate while waiting for a response. */
const MOST_PAGES = 20

const made = z.object({ id: plainId })
const comment = z.object({ message: z.string().catch(''), from: z.object({ id: z.string().optional() }).optional() })

export const firstComment: FirstComment = {
  ...{ of: 'post', proof: 'searchable', visibleWithinMs: VISIBLE_WITHIN_MS },
  check: (_text, options) => brokenStoryComment('facebook', options),
  post: (job, published, { text }, io) =>
    withSession(job.account, io, async (session) => {
      for (const target of targetsOf(job, published)) {
        const taken = await commented(target, text, session, io)
        if (taken) return undefined
      }
      const { message } = errorOf('unreadable')
      throw new PlatformError('retryable', message, { retryAfterMs: NOT_KNOWN_YET_MS })
    }),
  find: (job, published, { text }, io) =>
    withSession(job.account, io, async (session) => {
      const searches: Search<undefined>[] = []
      for (const target of targetsOf(job, published)) {
        const search = await searched(target, job.account.externalId, text, session, io)
        if (search?.outcome === 'found') return search
        if (search) searches.push(search)
      }
      if (searches.length === 0) throw errorOf('unreadable')
      return searches.find(({ outcome }) => outcome === 'unknown') ?? { outcome: 'absent' }
    }),
}

/** Some videos accept comments only by the video's id. */
function targetsOf({ mediaType }: PublishJob, { postId, url }: Published): readonly string[] {
  const videoId = mediaType === 'video' ? videoIn(url) : undefined
  return videoId === undefined || videoId === postId ? [postId] : [postId, videoId]
}

/** @returns false when there is no such object, so nothing was created. @throws PlatformError */
async function commented(target: string, message: string, session: Session, io: RestIo): Promise<boolean> {
  const call = { method: 'POST', path: `/${target}/comments`, form: { message }, effect: 'visible' } as const
  try {
    await graph(session, call, made, io)
    return true
  } catch (error) {
    if (is(error, 'unreadable')) return false
    throw error
  }
}

/**
 * Our comment has the same text, and the Page or nobody known as its author: a person's identity may be hidden, the Page's
 * never is.
 *
 * @returns undefined when there is no such object
 * @throws PlatformError
 */
async function searched(
  target: string,
  pageId: string,
  text: string,
  session: Session,
  io: RestIo,
): Promise<Search<undefined> | undefined> {
  const path = `/${target}/comments`
  const query = { filter: 'toplevel', order: 'reverse_chronological', fields: 'id,message,from{id}' }
  try {
    const comments = await listOf({ path, query, item: comment, mostPages: MOST_PAGES }, session, io)
    if (!comments) return { outcome: 'unknown' }
    const ours = comments.some(
      ({ message, from }) => readsAs(message, text) && (from?.id === undefined || from.id === pageId),
    )
    if (ours) return { outcome: 'found', found: undefined }
    return comments.length === 0 && (await hasComments(target, session, io))
      ? { outcome: 'unknown' }
      : { outcome: 'absent' }
  } catch (error) {
    if (is(error, 'unreadable')) return undefined
    if (error instanceof PlatformError && error.kind === 'permanent') return { outcome: 'unknown' }
    throw error
  }
}
