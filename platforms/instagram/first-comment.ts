import * as z from 'zod'
import type { Session } from '../meta/graph.ts'
import { brokenStoryComment } from '../meta/placement.ts'
import { readsAs } from '../meta/same-text.ts'
import type { FirstComment } from '../kit/first-comment.ts'
import { PlatformError, type PlatformIo, type Published, type PublishJob, type Search } from '../kit/platform.ts'
import { graph, is } from './api.ts'
import { authorFields, isOurs } from './author.ts'
import { paging } from './media-list.ts'
import { withSession } from './session.ts'

/** A newly published post may not be available everywhere yet. */
const NOT_KNOWN_YET_MS = 5_000
const PAGE = 50
/** As for posts. */
const VISIBLE_WITHIN_MS = 10_000
/** A thousand comments: more than accumulate while waiting for a response. */
const MOST_PAGES = 20
const FIELDS = ['id,text,username,from{id,username}', 'id,text,username'] as const

const anyAnswer = z.unknown()
const listing = z.object({
  data: z.array(
    z.object({
      text: z.string().catch(''),
      ...authorFields,
    }),
  ),
  paging,
})
type Comment = z.infer<typeof listing>['data'][number]

export const firstComment: FirstComment = {
  ...{ of: 'post', proof: 'searchable', visibleWithinMs: VISIBLE_WITHIN_MS },
  check: (_text, options) => brokenStoryComment('instagram', options),
  post: async (job, published, { text }, io) => {
    // No `fields`: with them Instagram creates the comment, but answers with an error.
    const call = { method: 'POST', path: commentsOf(published), form: { message: text }, effect: 'visible' } as const
    try {
      await withSession(job.account, io, (session) => graph(session, call, anyAnswer, io))
      return undefined
    } catch (error) {
      if (is(error, 'made, not shown')) return undefined
      if (is(error, 'unreadable')) {
        throw new PlatformError('retryable', error.message, { retryAfterMs: NOT_KNOWN_YET_MS, cause: error })
      }
      throw error
    }
  },
  find: (job, published, { text }, io) => search(job, published, text, io),
}

/** Our comment is the one by our account with the same text. */
async function search(job: PublishJob, published: Published, text: string, io: PlatformIo): Promise<Search<undefined>> {
  try {
    return await withSession(job.account, io, async (session, { username }): Promise<Search<undefined>> => {
      const comments = await allComments(published, session, io)
      if (!comments) return { outcome: 'unknown' }
      const same = comments.filter((comment) => readsAs(comment.text, text))
      const us = { accountId: job.account.externalId, username }
      if (same.some((comment) => isOurs(comment, us))) {
        return { outcome: 'found', found: undefined }
      }
      const authorless = same.some((comment) => isOurs(comment, us) === undefined)
      return { outcome: authorless ? 'unknown' : 'absent' }
    })
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'permanent') return { outcome: 'unknown' }
    throw error
  }
}

/** @returns undefined when there are more than `MOST_PAGES` */
async function allComments(
  published: Published,
  session: Session,
  io: PlatformIo,
): Promise<readonly Comment[] | undefined> {
  const [whole, plain] = FIELDS
  try {
    return await allWith(whole, published, session, io)
  } catch (error) {
    // A single forbidden field fails the whole call.
    if (is(error, 'refused', 'permission', 'capability')) return allWith(plain, published, session, io)
    throw error
  }
}

async function allWith(
  fields: string,
  published: Published,
  session: Session,
  io: PlatformIo,
): Promise<readonly Comment[] | undefined> {
  const comments: Comment[] = []
  let after: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = { fields, limit: String(PAGE), ...(after !== undefined && { after }) }
    const answer = await graph(session, { method: 'GET', path: commentsOf(published), query }, listing, io)
    comments.push(...answer.data)
    after = answer.paging?.next === undefined ? undefined : answer.paging.cursors?.after
    if (after === undefined) return comments
  }
  return undefined
}

function commentsOf({ postId }: Published): string {
  return `/${postId}/comments`
}
