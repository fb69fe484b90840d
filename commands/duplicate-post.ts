import { Refusal } from '../domain/core/errors.ts'
import { isQueued, type PostContent, type PostState } from '../domain/post/post.ts'
import { content } from '../domain/post/post-events.ts'

/** Which accounts of a post another one is for: those that failed, or some of them by id. */
export type DuplicateFor = 'failed' | readonly string[]

/**
 * The content of a post for another one. An account whose outcome is unknown has not failed: it may have the post, and only a retry
 * looks for it. Nor has one that has some parts of a chain: a retry goes on with the others.
 *
 * @param accounts default: all
 * @throws Refusal not_found, failed_precondition if no account failed, invalid_request for an account that the post is not for
 */
export function duplicated(state: PostState, accounts?: DuplicateFor): PostContent {
  if (state.status === 'absent') throw new Refusal('not_found', 'No such post.')
  const whole = contentOf(state)
  if (accounts === undefined) return whole
  if (accounts !== 'failed') {
    const known = new Set(Object.values(whole.selections).flat())
    const other = accounts.find((id) => !known.has(id))
    if (other !== undefined) throw new Refusal('invalid_request', `accounts: the post is not for the account ${other}`)
  }
  const chosen = new Set(accounts === 'failed' ? failedAccounts(state) : accounts)
  if (chosen.size === 0) throw new Refusal('failed_precondition', 'The post has not failed on any account.')
  const selections = Object.entries(whole.selections)
    .map(([platform, ids]) => [platform, ids.filter((id) => chosen.has(id))] as const)
    .filter(([, ids]) => ids.length > 0)
  return { ...whole, selections: Object.fromEntries(selections) }
}

function failedAccounts(state: PostState): readonly string[] {
  if (!isQueued(state)) return []
  return [...state.targets.values()].flatMap(({ accountId, published, state: { step, ...failure } }) =>
    step === 'failed' && 'code' in failure && failure.code !== 'unknown' && published.length === 0 ? [accountId] : [],
  )
}

const CONTENT = new Set(['workspaceId', ...Object.keys(content)])

function contentOf(state: Exclude<PostState, { status: 'absent' }>): PostContent {
  if (!isQueued(state)) return state.content
  return Object.fromEntries(Object.entries(state).filter(([field]) => CONTENT.has(field))) as unknown as PostContent
}
