import { accounts } from './accounts.ts'
import { agenda } from './agenda.ts'
import { apiKeys } from './api-keys.ts'
import { posts } from './posts.ts'
import { erased, type AnyProjection } from './projection.ts'
import { workspaces } from './workspaces.ts'

/** Every read model there is. */
export const projections: readonly AnyProjection[] = [
  erased(workspaces),
  erased(apiKeys),
  erased(accounts),
  erased(posts),
  erased(agenda),
]
