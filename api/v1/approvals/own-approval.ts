import { Refusal } from '../../../domain/core/errors.ts'
import type { Approval } from '../../../domain/post/approval.ts'
import { findScheduledPost, type ShownScheduledPost } from '../../../projections/models/scheduled-posts.ts'
import type { Caller } from '../../http/route.ts'
import { owned } from '../../kit/owned.ts'
import type { Services } from '../../kit/services.ts'

/** @throws Refusal not_found, forbidden when it is another workspace's */
export async function ownApproval(
  { db }: Pick<Services, 'db'>,
  id: string,
  caller: Pick<Caller, 'workspaceId'>,
): Promise<ShownScheduledPost & { readonly approval: Approval }> {
  const row = owned(await findScheduledPost(db, id), caller, 'approval')
  if (row.approval) return { ...row, approval: row.approval }
  throw new Refusal('not_found', 'Nobody has requested approval of this post.')
}
