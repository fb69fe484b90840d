import { useQuery } from '@tanstack/react-query'
import { answered, api } from '../client/client.ts'
import { pageAfter, useList } from '../client/queries.ts'
import { List } from '../parts/list.tsx'
import { Page } from '../parts/page.tsx'
import { Card, Empty, Loading, Moment, Problem } from '../parts/shown.tsx'

export default function Credits() {
  const balance = useQuery({ queryKey: ['credits', 'balance'], queryFn: () => answered(api.GET('/credits')) })
  const ledger = useList(['credits', 'ledger'], (cursor) =>
    answered(api.GET('/credits/ledger', { params: { query: pageAfter(cursor) } })),
  )
  return (
    <Page title="Credits" intro="Credits pay for videos. Failed videos are refunded.">
      <Card title="Balance">
        {balance.isPending && <Loading lines={1} />}
        {balance.error && <Problem error={balance.error} onRetry={() => void balance.refetch()} />}
        {balance.data && (
          <p className="big">
            <strong>{balance.data.credits}</strong> credits
          </p>
        )}
      </Card>
      <Card title="Ledger">
        <List
          query={ledger}
          items={(page) => page.entries}
          empty={
            <Empty title="No transactions yet">
              <code>npx fanfare credits grant</code> gives a workspace credits.
            </Empty>
          }
        >
          {(items) => (
            <div className="table-scroll">
              <table>
                <thead>
                  <tr>
                    <th scope="col">When</th>
                    <th scope="col">What</th>
                    <th scope="col" className="number">
                      Amount
                    </th>
                    <th scope="col" className="number">
                      Balance
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {items.map(({ id, kind, amount, balance, videoId, reason, createdAt }) => (
                    <tr key={id}>
                      <td>
                        <Moment at={createdAt} />
                      </td>
                      <td>
                        {kind} {reason && <span className="muted">{reason}</span>}
                        {videoId && <span className="hint code"> {videoId}</span>}
                      </td>
                      <td className="number">{kind === 'charged' ? `−${amount}` : `+${amount}`}</td>
                      <td className="number">{balance}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </List>
      </Card>
    </Page>
  )
}
