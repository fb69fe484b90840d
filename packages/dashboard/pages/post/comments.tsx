import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { answered, api } from '../../client/client.ts'
import { pageAfter, useList, usePlatforms } from '../../client/queries.ts'
import type { Post } from '../../client/types.ts'
import { ItemList } from '../../parts/list.tsx'
import { Card } from '../../parts/shown.tsx'
import { CommentItem } from '../comments/comment-item.tsx'

/** What was written under a post, on all of its accounts. Absent where nothing could be. */
export function Comments({ post: { id, publishResults } }: { readonly post: Post }) {
  const { data: platforms = [] } = usePlatforms()
  const isSpoken = platforms.some(
    ({ key, conversation }) => conversation && publishResults[key]?.some(({ ok, parts }) => ok || parts),
  )
  const comments = useList(
    ['comment', 'post', id],
    (cursor) => answered(api.GET('/comments', { params: { query: { ...pageAfter(cursor), runId: id } } })),
    isSpoken,
  )
  if (!isSpoken) return null
  return (
    <Card title={t`Comments`}>
      <ItemList
        query={comments}
        items={(page) => page.comments}
        empty={
          <p className="muted">
            <Trans>No comments yet.</Trans>
          </p>
        }
      >
        {(comment) => <CommentItem key={`${comment.accountId} ${comment.id}`} comment={comment} />}
      </ItemList>
    </Card>
  )
}
