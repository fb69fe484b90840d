import * as z from 'zod'
import type { PublishedPart } from '../../domain/post/publish-result.ts'
import type { RestIo } from '../kit/rest.ts'
import { Unsupported } from '../kit/unsupported.ts'
import type { GraphApi } from './api.ts'
import type { Session } from './graph.ts'

const answer = z.object({ success: z.boolean() })

/**
 * Deletes an object. One that is gone already is deleted. The Graph API says the same of it as of one that it cannot load right now,
 * so it is then looked up.
 *
 * @param isGone whether an error says that the object does not exist
 * @throws PlatformError
 */
export async function deleteObject(
  { graph, errorOf }: GraphApi<'failed'>,
  session: Session,
  id: string,
  isGone: (error: unknown) => boolean,
  io: RestIo,
): Promise<void> {
  const path = `/${encodeURIComponent(id)}`
  try {
    const { success } = await graph(session, { method: 'DELETE', path, effect: 'visible' }, answer, io)
    if (!success) throw errorOf('failed')
  } catch (error) {
    const look = () => graph(session, { method: 'GET', path, query: { fields: 'id' } }, z.unknown(), io)
    if (!isGone(error) || !(await fails(look, isGone))) throw error
  }
}

/**
 * As `deleteObject`, for a post that was published from a container. If it is not known which post that became, its id is the
 * container's (`which-post.ts`), and nothing can be deleted.
 */
export async function deletePost(
  api: GraphApi<'gone' | 'unreadable' | 'refused' | 'failed'>,
  session: Session,
  { postId, url }: PublishedPart,
  io: RestIo,
): Promise<void> {
  const call = { method: 'GET', path: `/${encodeURIComponent(postId)}`, query: { fields: 'permalink' } } as const
  const look = () => api.graph(session, call, z.object({ permalink: z.string() }), io)
  if (url === undefined && (await fails(look, (error) => api.is(error, 'gone', 'unreadable', 'refused')))) {
    throw new Unsupported(`${api.name} did not say which post of the account this is.`)
  }
  await deleteObject(api, session, postId, (error) => api.is(error, 'gone', 'unreadable'), io)
}

/** @throws an error that is not expected */
async function fails(call: () => Promise<unknown>, isExpected: (error: unknown) => boolean): Promise<boolean> {
  try {
    await call()
    return false
  } catch (error) {
    if (!isExpected(error)) throw error
    return true
  }
}
