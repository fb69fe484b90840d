import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { answered, api } from '../../client/client.ts'
import { pageAfter, useList } from '../../client/queries.ts'
import { List } from '../../parts/list.tsx'
import { Page } from '../../parts/page.tsx'
import { Card, Empty, Loading, Moment, Problem } from '../../parts/shown.tsx'

const KINDS = { granted: t`granted`, charged: t`charged`, refunded: t`refunded` }

export default function Credits() {
  const balance = useQuery({ queryKey: ['credits', 'balance'], queryFn: () => answered(api.GET('/credits')) })
  const ledger = useList(['credits', 'ledger'], (cursor) =>
    answered(api.GET('/credits/ledger', { params: { query: pageAfter(cursor) } })),
  )
  return (
    <Page title={t`Credits`} intro={t`Credits pay for videos. Failed videos are refunded.`}>
      <Card title={t`Balance`}>
        {balance.isPending && <Loading lines={1} />}
        {balance.error && <Problem error={balance.error} onRetry={() => void balance.refetch()} />}
        {balance.data && (
          <p className="big">
            <Plural
              value={{ credits: balance.data.credits }}
              one={
                <Trans>
                  <strong>#</strong> credit
                </Trans>
              }
              other={
                <Trans>
                  <strong>#</strong> credits
                </Trans>
              }
            />
          </p>
        )}
      </Card>
      <Card title={t`Ledger`}>
        <List
          query={ledger}
          items={(page) => page.entries}
          empty={
            <Empty title={t`No transactions yet`}>
              <Trans>
                <code>npx fanfare credits grant</code> gives a workspace credits.
              </Trans>
            </Empty>
          }
        >
          {(items) => (
            <div className="table-scroll">
              <table>
                <thead>
                  <tr>
                    <th scope="col">
                      <Trans>When</Trans>
                    </th>
                    <th scope="col">
                      <Trans>What</Trans>
                    </th>
                    <th scope="col" className="number">
                      <Trans>Amount</Trans>
                    </th>
                    <th scope="col" className="number">
                      <Trans>Balance</Trans>
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
                        {KINDS[kind]} {reason && <span className="muted">{reason}</span>}
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
