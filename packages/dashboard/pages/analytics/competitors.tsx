import { answered, api } from '../../client/client.ts'
import { pageAfter, useList } from '../../client/queries.ts'
import { PlatformName } from '../../parts/accounts.tsx'
import { List } from '../../parts/list.tsx'
import { Card, Empty, Moment } from '../../parts/shown.tsx'
import { Counts } from './counts.tsx'

export function Competitors() {
  const competitors = useList(['analytics', 'competitors'], (cursor) =>
    answered(api.GET('/analytics/competitors', { params: { query: pageAfter(cursor) } })),
  )
  return (
    <Card title="Competitors">
      <List
        query={competitors}
        items={(page) => page.competitors}
        empty={
          <Empty title="No competitors yet">
            Compare your accounts with others on YouTube, X or Bluesky, checked once a day. Add one on the command line:{' '}
            <code>npx fanfare competitors add bluesky rival.example --workspace …</code>
          </Empty>
        }
      >
        {(items) => (
          <>
            <ul className="items">
              {items.map(
                ({ id, platform, handle, followers, postsPerWeek, interactionsPerPost, lookedAt, lastError }) => (
                  <li key={id}>
                    <div className="item-body">
                      <div className="item-line">
                        <strong>{handle}</strong> <PlatformName of={platform} />
                        {lookedAt && (
                          <span className="hint">
                            <Moment at={lookedAt} short />
                          </span>
                        )}
                      </div>
                      {lastError && <p className="said">{lastError}</p>}
                    </div>
                    <Counts
                      of={{
                        followers,
                        'posts a week': postsPerWeek,
                        'interactions a post': interactionsPerPost,
                      }}
                    />
                  </li>
                ),
              )}
            </ul>
            <p className="hint">
              Add and remove competitors on the command line: <code>npx fanfare competitors --help</code>
            </p>
          </>
        )}
      </List>
    </Card>
  )
}
