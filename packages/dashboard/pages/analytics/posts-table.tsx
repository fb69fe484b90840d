import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'
import { answered, api } from '../../client/client.ts'
import { pageAfter, useList } from '../../client/queries.ts'
import type { RankedPost } from '../../client/types.ts'
import { AccountName, useAccountName } from '../../parts/accounts.tsx'
import { Button } from '../../parts/buttons.tsx'
import { List } from '../../parts/list.tsx'
import { PlatformIcon } from '../../parts/platform-icon.tsx'
import { saveCsv } from '../../parts/save-file.ts'
import { Card, Moment, Status } from '../../parts/shown.tsx'
import { useUrlState } from '../../parts/url-state.ts'
import { shown } from './numbers.ts'
import type { Asked } from './queries.ts'

const SORTS = [
  { value: 'views', label: t`Views` },
  { value: 'interactions', label: t`Interactions` },
  { value: 'likes', label: t`Likes` },
  { value: 'comments', label: t`Comments` },
] as const
/** "Show more" loads as many again. */
const ROWS = 10
type Sort = (typeof SORTS)[number]['value']

/** Posts, those with most of a number first. One on two accounts is there twice. */
export function PostsTable({ asked }: { readonly asked: Asked }) {
  const [sort, setSort] = useUrlState<Sort>('sort', 'interactions')
  const accountName = useAccountName()
  const posts = useList(['analytics', 'top', asked, sort], (cursor) =>
    answered(api.GET('/analytics/top-posts', { params: { query: { ...asked, sort, ...pageAfter(cursor, ROWS) } } })),
  )
  const save = () =>
    saveCsv(`posts-${asked.asOf}.csv`, [
      ['published', 'network', 'account', 'caption', ...SORTS.map(({ value }) => value)],
      ...(posts.data?.pages.flatMap((page) => page.posts) ?? []).map((post) => [
        post.publishedAt,
        post.platform,
        accountName(post.accountId),
        post.caption,
        ...SORTS.map(({ value }) => post[value]),
      ]),
    ])
  return (
    <Card
      title={t`Posts`}
      action={
        <Button small look="quiet" onPress={save}>
          <Trans>Save as CSV</Trans>
        </Button>
      }
    >
      <List
        query={posts}
        items={(page) => page.posts}
        empty={
          <p className="muted">
            <Trans>None of these posts has this number. Choose another column.</Trans>
          </p>
        }
      >
        {(items) => (
          <div className="table-scroll">
            <table className="ranking">
              <thead>
                <tr>
                  <th scope="col">
                    <Trans>Post</Trans>
                  </th>
                  {SORTS.map(({ value, label }) => (
                    <th
                      key={value}
                      scope="col"
                      className="number"
                      {...(value === sort && { 'aria-sort': 'descending' as const })}
                    >
                      <button type="button" className="sort" onClick={() => setSort(value)}>
                        {label}
                        <span aria-hidden>{value === sort ? ' ↓' : ''}</span>
                      </button>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {items.map((post) => (
                  <Row key={`${post.id} ${post.accountId}`} post={post} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </List>
    </Card>
  )
}

function Row({ post }: { readonly post: RankedPost }) {
  return (
    <tr>
      <th scope="row">
        <Link to={`/posts/${post.id}`} className="clamp">
          {post.caption || t`No caption`}
        </Link>
        <span className="item-line">
          <PlatformIcon of={post.platform} />
          <span className="muted">
            <AccountName of={post.accountId} />
          </span>
          <span className="hint">
            <Moment at={post.publishedAt} short />
          </span>
          {post.origin === 'demo' && <Status of={t`Demo`} />}
        </span>
      </th>
      {SORTS.map(({ value }) => (
        <td key={value} className="number">
          {shown(post[value])}
        </td>
      ))}
    </tr>
  )
}
