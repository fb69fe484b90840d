import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Link } from 'react-router'
import { answered, api } from '../../client/client.ts'
import { pageAfter, useList } from '../../client/queries.ts'
import { List } from '../../parts/list.tsx'
import { Moment, Status } from '../../parts/shown.tsx'

/** The outcome of each item of a feed; loaded when opened. */
export function FeedItems({ feedId }: { readonly feedId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Trans>Items</Trans>
      </summary>
      {isOpen && <Items feedId={feedId} />}
    </details>
  )
}

function Items({ feedId }: { readonly feedId: string }) {
  const items = useList(['feed', feedId, 'items'], (cursor) =>
    answered(api.GET('/rss-feeds/{id}/items', { params: { path: { id: feedId }, query: pageAfter(cursor) } })),
  )
  return (
    <List
      query={items}
      items={(page) => page.items}
      empty={
        <p className="muted">
          <Trans>Not checked yet.</Trans>
        </p>
      }
    >
      {(all) => (
        <ul className="work">
          {all.map(({ title, link, status, postId, reason, seenAt }) => (
            <li key={link + title}>
              <span>
                <a href={link} target="_blank" rel="noreferrer">
                  {title || link}
                </a>{' '}
                {postId ? (
                  <Link to={`/posts/${postId}`}>
                    <Trans>its post</Trans>
                  </Link>
                ) : (
                  reason
                )}
              </span>
              <span className="hint">
                <Status of={status} /> <Moment at={seenAt} short />
              </span>
            </li>
          ))}
        </ul>
      )}
    </List>
  )
}
