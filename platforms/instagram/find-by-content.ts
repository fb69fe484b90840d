import { unlessRefused } from '../kit/find-by-content.ts'
import { asPlaced } from '../meta/placement.ts'
import { findAmong } from '../meta/post-list.ts'
import type { OtherPosts, PlatformIo, Published, PublishJob, Search } from '../kit/platform.ts'
import { mediaSince } from './media-list.ts'
import { withSession } from './session.ts'

/** Looks for the post among the account's media, by its text. @throws PlatformError when looking again later may help */
export function findByContent(
  job: PublishJob,
  since: number,
  io: PlatformIo,
  others?: OtherPosts,
): Promise<Search<Published>> {
  return unlessRefused(() =>
    withSession(job.account, io, async (session) =>
      findAmong(asPlaced(job), await mediaSince(job, since, session, io), session, others),
    ),
  )
}
