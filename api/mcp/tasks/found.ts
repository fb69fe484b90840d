import { Refusal } from '../../../domain/core/errors.ts'
import type { Post, ScheduledPost } from './present.ts'
import type { TaskWork } from './task.ts'

/** A post that is being published or was, or else is scheduled: the two have one kind of id. @throws Refusal not_found */
export async function foundPost(
  id: string,
  work: TaskWork,
): Promise<{ readonly published: Post } | { readonly scheduled: ScheduledPost }> {
  try {
    return { published: await work.api<Post>('getPost', { id }) }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error
    return { scheduled: await work.api<ScheduledPost>('getScheduledPost', { id }) }
  }
}
