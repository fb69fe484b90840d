import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { answered, api } from '../../client/client.ts'
import { pageAfter, useAccounts, useList, usePlatforms, useSession } from '../../client/queries.ts'
import { sessionApi } from '../../client/session-api.ts'
import type { Competitor } from '../../client/types.ts'
import { Button } from '../../parts/buttons.tsx'
import { Irrevocable } from '../../parts/irrevocable.tsx'
import { List } from '../../parts/list.tsx'
import { PlatformIcon } from '../../parts/platform-icon.tsx'
import { Card, Empty, Moment } from '../../parts/shown.tsx'
import { AddCompetitor } from './add-competitor.tsx'
import { shown } from './numbers.ts'
import { useSummary } from './queries.ts'

const DAYS = 30
const WEEKS = DAYS / 7
/** How many accounts of one's own there are to compare with. */
const MOST_OWN = 10
const COLUMNS = [t`Followers`, t`In 30 days`, t`Posts a week`, t`Interactions a post`, t`Views a post`]

/** Other people's accounts beside one's own. */
export function Competitors() {
  const { permissions } = useSession()
  const [isAdding, setAdding] = useState(false)
  const competitors = useList(['analytics', 'competitors'], (cursor) =>
    answered(api.GET('/analytics/competitors', { params: { query: pageAfter(cursor) } })),
  )
  const mayChange = permissions.includes('accounts:write')
  const add = mayChange && (
    <Button small onPress={() => setAdding(true)}>
      <Trans>Add competitor</Trans>
    </Button>
  )
  return (
    <Card title={t`Competitors`} action={add}>
      <List
        query={competitors}
        items={(page) => page.competitors}
        empty={
          <Empty title={t`No competitors yet`}>
            <Trans>Compare your accounts with others on YouTube, X or Bluesky, which are checked once a day.</Trans>
          </Empty>
        }
      >
        {(items) => (
          <div className="table-scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">
                    <Trans>Account</Trans>
                  </th>
                  {COLUMNS.map((name) => (
                    <th key={name} scope="col" className="number">
                      {name}
                    </th>
                  ))}
                  {mayChange && <td />}
                </tr>
              </thead>
              <tbody>
                <OwnRows of={new Set(items.map(({ platform }) => platform))} hasActions={mayChange} />
                {items.map((item) => (
                  <Row key={item.id} of={item} mayRemove={mayChange} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </List>
      <p className="hint">
        <Trans>The last 30 days, as far as networks report them.</Trans>
      </p>
      {isAdding && <AddCompetitor onClose={() => setAdding(false)} />}
    </Card>
  )
}

function Row({ of, mayRemove }: { readonly of: Competitor; readonly mayRemove: boolean }) {
  const { id, platform, handle, followers, followersChange30d, postsPerWeek, lookedAt, lastError } = of
  const numbers = [followers, followersChange30d, postsPerWeek, of.interactionsPerPost, of.viewsPerPost]
  return (
    <tr>
      <th scope="row">
        <span className="item-line">
          <PlatformIcon of={platform} />
          <strong>{handle}</strong>
          <span className="hint">{lookedAt ? <Moment at={lookedAt} short /> : t`Not checked yet`}</span>
        </span>
        {lastError && <span className="said">{lastError}</span>}
      </th>
      {numbers.map((value, index) => (
        <td key={COLUMNS[index]} className="number">
          {shown(value)}
        </td>
      ))}
      {mayRemove && (
        <td className="number">
          <Irrevocable
            small
            action={t`Remove`}
            name={t`Remove ${handle}`}
            title={t`Remove ${handle}?`}
            change={() => sessionApi.removeCompetitor(id)}
            touches={['analytics']}
            done={t`Competitor removed.`}
          >
            <Trans>Its figures are erased.</Trans>
          </Irrevocable>
        </td>
      )}
    </tr>
  )
}

/** One's own accounts on the platforms of the competitors, without asking the platforms. */
function OwnRows({ of, hasActions }: { readonly of: ReadonlySet<string>; readonly hasActions: boolean }) {
  const { data: accounts = {} } = useAccounts()
  const { data: platforms = [] } = usePlatforms()
  const own = platforms
    .filter(({ key, hasCompetitors }) => hasCompetitors && of.has(key))
    .flatMap(({ key }) => (accounts[key] ?? []).map(({ id, label }) => ({ id, label, platform: key })))
    .slice(0, MOST_OWN)
  return own.map((account) => <OwnRow key={account.id} {...account} hasActions={hasActions} />)
}

function OwnRow(props: {
  readonly id: string
  readonly label: string
  readonly platform: string
  readonly hasActions: boolean
}) {
  const { id, label, platform, hasActions } = props
  const { posts = 0, views, interactions } = useSummary({ accountId: id, days: DAYS }).data?.totals ?? {}
  const perPost = (sum: number | undefined) => (sum === undefined ? undefined : sum / posts)
  const numbers = [undefined, undefined, posts / WEEKS, perPost(interactions), perPost(views)]
  return (
    <tr className="own">
      <th scope="row">
        <span className="item-line">
          <PlatformIcon of={platform} />
          <strong>{label}</strong>
          <span className="hint">
            <Trans>yours</Trans>
          </span>
        </span>
      </th>
      {numbers.map((value, column) => (
        <td key={COLUMNS[column]} className="number">
          {shown(value)}
        </td>
      ))}
      {hasActions && <td />}
    </tr>
  )
}
