import { useQuery } from '@tanstack/react-query'
import { answered, api } from '../../client/client.ts'
import type { Page } from '../../client/types.ts'

/** Counts up to this number; beyond it, "100+". */
const COUNTED = 100
const query = { limit: COUNTED }

export function useReplies() {
  return useQuery({
    queryKey: ['comment', 'count'],
    queryFn: () => answered(api.GET('/comments', { params: { query: { ...query, state: 'draft_ready' } } })),
    select: (page) => countOf(page.comments, page),
  })
}

/** What the user may decide on. */
export function useApprovals(enabled: boolean) {
  return useQuery({
    queryKey: ['scheduled-post', 'approvals', 'count'],
    queryFn: () => answered(api.GET('/approvals', { params: { query } })),
    select: (page) => countOf(page.approvals, page),
    enabled,
  })
}

/** Empty if there are none. */
function countOf(items: readonly unknown[], { nextCursor }: Page): string {
  if (items.length === 0) return ''
  return nextCursor === null ? `${items.length}` : `${COUNTED}+`
}
