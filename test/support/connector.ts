import type { Platform, PlatformIo, Published, PublishHandle, PublishJob } from '../../platforms/kit/platform.ts'

/** Prepares a post on a platform that needs no time for it. */
export async function prepare(
  platform: Platform,
  job: PublishJob,
  io: PlatformIo,
  earlier?: PublishHandle,
): Promise<PublishHandle> {
  const prepared = await platform.prepare(job, io, earlier)
  if (prepared.outcome !== 'ready') throw new Error(`${platform.key} is still processing`)
  return prepared.handle
}

/** Publishes on a platform that is done with the answer. */
export async function publish(
  platform: Platform,
  job: PublishJob,
  handle: PublishHandle,
  io: PlatformIo,
): Promise<Published> {
  const publishing = await platform.publish(job, handle, io)
  if (publishing.outcome !== 'published') throw new Error(`${platform.key} is still processing`)
  return publishing.published
}
