import { useQuery } from '@tanstack/react-query'
import { answered, api } from '../client/client.ts'
import { useAccounts, usePlatforms } from '../client/queries.ts'
import { usePlatformName } from '../parts/accounts.tsx'
import { Choice } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { Card, Loading, Problem } from '../parts/shown.tsx'
import { useUrlState } from '../parts/url-state.ts'
import { AccountNumbers } from './analytics/account-numbers.tsx'
import { Competitors } from './analytics/competitors.tsx'
import { shown, shownRate } from './analytics/numbers.ts'
import { TopPosts } from './analytics/top-posts.tsx'
import { ViewsByDay } from './analytics/views-by-day.tsx'

const DAYS = ['7', '30', '90'].map((value) => ({ value, label: `Last ${value} days` }))

export default function Analytics() {
  const [days, setDays] = useUrlState<string>('days', '30')
  const [accountId, setAccountId] = useUrlState<string>('account', '')
  const query = { days: Number(days), ...(accountId && { accountId }) }
  return (
    <Page
      title="Analytics"
      intro="Based on data from YouTube, X, Pinterest, Bluesky and Mastodon. Metrics of the other platforms are not available."
    >
      <div className="filters">
        <Choice label="Time" value={days} options={DAYS} onChange={setDays} />
        <AccountChoice value={accountId} onChange={setAccountId} />
      </div>
      <Totals query={query} />
      <ViewsByDay query={query} />
      <div className="columns">
        <TopPosts query={query} />
        {accountId ? <AccountNumbers accountId={accountId} days={query.days} /> : <Competitors />}
      </div>
    </Page>
  )
}

function AccountChoice({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const { data: accounts = {} } = useAccounts()
  const { data: platforms } = usePlatforms()
  const nameOf = usePlatformName()
  const options = Object.entries(accounts).flatMap(([platform, list]) =>
    list.map(({ id, label }) => ({ value: id, label: `${platforms ? nameOf(platform) : platform}: ${label}` })),
  )
  return (
    <Choice
      label="Account"
      value={value}
      options={[{ value: '', label: 'All accounts' }, ...options]}
      onChange={onChange}
    />
  )
}

function Totals({ query }: { readonly query: { readonly days: number; readonly accountId?: string } }) {
  const summary = useQuery({
    queryKey: ['analytics', 'summary', query],
    queryFn: () => answered(api.GET('/analytics/summary', { params: { query } })),
    placeholderData: (before) => before,
  })
  if (summary.isPending) return <Loading lines={1} />
  if (!summary.data) return <Problem error={summary.error} onRetry={() => void summary.refetch()} />
  const { posts, views, interactions, engagementRate } = summary.data.totals
  return (
    <Card title="Totals">
      <dl className="tiles numbers">
        {[
          ['Posts', shown(posts)],
          ['Views', shown(views)],
          ['Interactions', shown(interactions)],
          ['Engagement', shownRate(engagementRate)],
        ].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
