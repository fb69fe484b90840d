import { presentPost } from '../../api/v1/posts/present-post.ts'
import { presentRow } from '../../api/v1/scheduled-posts/present-scheduled-post.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { findPost } from '../../projections/models/posts.ts'
import { findScheduledPost } from '../../projections/models/scheduled-posts.ts'
import type { Core } from '../wiring/core.ts'

/** A post, or one that is still scheduled. @throws Refusal not_found */
export async function showPost({ db }: Core, id: string) {
  const row = await findPost(db, id)
  if (row) return presentPost(row)
  const scheduled = await findScheduledPost(db, id)
  if (scheduled) return presentRow(scheduled)
  throw new Refusal('not_found', `There is no post ${id}.`)
}
