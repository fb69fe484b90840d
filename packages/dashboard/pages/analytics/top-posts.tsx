import { Link } from 'react-router'
import { answered, api } from '../../client/client.ts'
import { pageAfter, useList } from '../../client/queries.ts'
import { AccountName, PlatformName } from '../../parts/accounts.tsx'
import { Choice } from '../../parts/fields.tsx'
import { List } from '../../parts/list.tsx'
import { Card, Empty, Moment } from '../../parts/shown.tsx'
import { useUrlState } from '../../parts/url-state.ts'
import { Counts } from './counts.tsx'

const SORTS = [
  { value: 'views', label: 'By views' },
  { value: 'likes', label: 'By likes' },
  { value: 'comments', label: 'By comments' },
] as const
type Sort = (typeof SORTS)[number]['value']

export function TopPosts({ query }: { readonly query: { readonly days: number; readonly accountId?: string } }) {
  const [sort, setSort] = useUrlState<Sort>('sort', 'views')
  const posts = useList(['analytics', 'top', query, sort], (cursor) =>
    answered(api.GET('/analytics/top-posts', { params: { query: { ...query, sort, ...pageAfter(cursor, 10) } } })),
  )
  return (
    <Card
      title="Top posts"
      action={
        <Choice label="Order" isLabelHidden value={sort} options={SORTS} onChange={(value) => setSort(value as Sort)} />
      }
    >
      <List
        query={posts}
        items={(page) => page.posts}
        empty={
          <Empty title="No metrics yet">
            Metrics are collected an hour after a post is published on YouTube, X, Pinterest, Bluesky or Mastodon, then
            daily.
          </Empty>
        }
      >
        {(items) => (
          <ol className="items">
            {items.map((post) => (
              <li key={`${post.platform} ${post.postId}`}>
                <div className="item-body">
                  <Link to={`/posts/${post.id}`} className="clamp">
                    {post.caption || 'No caption'}
                  </Link>
                  <div className="item-line">
                    <PlatformName of={post.platform} />
                    <span className="muted">
                      <AccountName of={post.accountId} />
                    </span>
                    <span className="hint">
                      <Moment at={post.publishedAt} short />
                    </span>
                  </div>
                </div>
                <Counts of={{ views: post.views, likes: post.likes, comments: post.comments }} />
              </li>
            ))}
          </ol>
        )}
      </List>
    </Card>
  )
}
