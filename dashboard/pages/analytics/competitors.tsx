import { answered, api } from '../../client/client.ts'
import { pageAfter, useList } from '../../client/queries.ts'
import { PlatformName } from '../../parts/accounts.tsx'
import { List } from '../../parts/list.tsx'
import { Card, Empty } from '../../parts/shown.tsx'
import { shown } from './numbers.ts'

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
          <Empty title="Nobody is watched">
            <code>npx fanfare competitors add</code> finds somebody else’s account and looks at it once a day.
          </Empty>
        }
      >
        {(items) => (
          <div className="table-scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">Account</th>
                  <th scope="col" className="number">
                    Followers
                  </th>
                  <th scope="col" className="number">
                    Posts a week
                  </th>
                  <th scope="col" className="number">
                    Interactions a post
                  </th>
                </tr>
              </thead>
              <tbody>
                {items.map(({ id, platform, handle, followers, postsPerWeek, interactionsPerPost, lastError }) => (
                  <tr key={id}>
                    <td>
                      {handle} <PlatformName of={platform} />
                      {lastError && <p className="hint">{lastError}</p>}
                    </td>
                    <td className="number">{shown(followers)}</td>
                    <td className="number">{shown(postsPerWeek)}</td>
                    <td className="number">{shown(interactionsPerPost)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </List>
    </Card>
  )
}
