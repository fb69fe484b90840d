import { Refusal } from '../../../domain/core/errors.ts'
import { onlyProposes } from '../../../domain/core/scope.ts'
import type { Approval } from '../../../domain/post/approval.ts'
import { findApiKey } from '../../../projections/models/api-keys.ts'
import { findScheduledPost, type ShownScheduledPost } from '../../../projections/models/scheduled-posts.ts'
import type { Caller } from '../../http/route.ts'
import { owned } from '../../kit/owned.ts'
import type { Services } from '../../kit/services.ts'

/**
 * What a key proposes, a person approves: no other key does, nor somebody whom a key chooses.
 *
 * @param authorId who wrote the post
 * @throws Refusal forbidden
 */
export async function mustBePerson({ db }: Pick<Services, 'db'>, { session }: Caller, authorId: string): Promise<void> {
  if (session || !onlyProposes((await findApiKey(db, authorId))?.scopes ?? [])) return
  throw new Refusal(
    'forbidden',
    'A key proposed this post, so a person has to approve it: in the dashboard, under Approvals.',
  )
}

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
