import * as z from 'zod'
import type { Published } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import type { GraphApi } from './api.ts'
import type { Session } from './graph.ts'
import { permalinkOf } from './post-list.ts'
import { plainId } from '../kit/plain-id.ts'

/** Leaves time for the permalink within the guard's 30 s. */
const PUBLISH_TIMEOUT_MS = 25_000

const answer = z.object({ id: plainId })

/**
 * Publishes a container: the visible call.
 *
 * @throws PlatformError
 */
export async function submit(
  api: GraphApi<never>,
  path: string,
  containerId: string,
  session: Session,
  io: RestIo,
): Promise<Published> {
  const form = { creation_id: containerId }
  const call = { method: 'POST', path, form, effect: 'visible', timeoutMs: PUBLISH_TIMEOUT_MS } as const
  const { id: postId } = await api.graph(session, call, answer, io)
  // Already published: a failed permalink lookup does not matter.
  const url = await permalinkOf(api, postId, session, io).catch(() => undefined)
  return { postId, ...(url !== undefined && { url }) }
}
