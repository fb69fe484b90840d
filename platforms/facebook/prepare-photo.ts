import type { Session } from '../meta/graph.ts'
import type { PublishJob } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { errorOf } from './api.ts'
import { findPhoto } from './find-photo.ts'
import type { PhotoHandle } from './handle.ts'
import { LIFE_MS } from './pace.ts'
import type { Step } from './step.ts'

/**
 * Retries with the same photo, which gives the outcome of earlier attempts. Another one is uploaded only if it is gone or too
 * old, and certainly was not posted.
 *
 * @throws PlatformError
 */
export async function goOnWithPhoto(job: PublishJob, handle: PhotoHandle, session: Session, io: RestIo): Promise<Step> {
  const { photo, search } = await findPhoto(job, handle, session, io)
  if (search.outcome === 'found') return { outcome: 'ready', handle: { ...handle, published: search.found } }
  // It is not known how long Facebook keeps an unused photo.
  const isYoung = io.clock.now() < Date.parse(handle.createdAt) + LIFE_MS
  if (photo.is === 'not posted' && (isYoung || search.outcome === 'unknown')) return { outcome: 'ready', handle }
  if (search.outcome === 'absent') return { outcome: 'start over', failures: 0 }
  throw errorOf('unreadable')
}
