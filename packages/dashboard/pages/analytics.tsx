import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useAccounts, usePlatforms } from '../client/queries.ts'
import type { Platform } from '../client/session-api.ts'
import { AccountFilter } from '../parts/account-filter.tsx'
import { ButtonLink } from '../parts/buttons.tsx'
import { Page } from '../parts/page.tsx'
import { Card, Empty, Loading, Problem } from '../parts/shown.tsx'
import { useUrlFilters } from '../parts/url-state.ts'
import { locale } from '../parts/words.ts'
import styles from '../styles/analytics.page.css'
import { AccountNumbers } from './analytics/account-numbers.tsx'
import { ByNetwork } from './analytics/by-network.tsx'
import { Competitors } from './analytics/competitors.tsx'
import { HeatMap } from './analytics/heat-map.tsx'
import { OverTime } from './analytics/over-time.tsx'
import { PeriodChoice } from './analytics/period-choice.tsx'
import { periodBefore, periodOf, utcToday, type Period } from './analytics/period.ts'
import { PostsTable } from './analytics/posts-table.tsx'
import { useSummary, type Asked } from './analytics/queries.ts'
import { TotalsCard } from './analytics/totals.tsx'

const DEFAULT_DAYS = '28'
const LISTS = {
  and: new Intl.ListFormat(locale(), { type: 'conjunction' }),
  or: new Intl.ListFormat(locale(), { type: 'disjunction' }),
}

export default function Analytics() {
  const [filters, setFilters] = useUrlFilters(['days', 'from', 'to', 'network', 'account'])
  const measured = useMeasured()
  const networks = listed(measured, 'and')
  const { network, account } = filters
  const chosen = { ...filters, days: filters.days || DEFAULT_DAYS }
  const period = periodOf(chosen, utcToday())
  return (
    <Page
      title={t`Analytics`}
      intro={networks && t`How your posts perform, as far as networks report it: ${networks} do.`}
      styles={styles}
    >
      <div className="filters">
        <PeriodChoice value={chosen} onChange={setFilters} />
        <AccountFilter
          value={{ platform: network, account }}
          onChange={({ platform, account }) => setFilters({ network: platform, account })}
          isOffered={(key) => measured.some((platform) => platform.key === key)}
        />
      </div>
      {typeof period === 'string' ? (
        <p role="alert">{period}</p>
      ) : (
        <Numbers period={period} network={network} account={account} />
      )}
      <Competitors />
    </Page>
  )
}

function Numbers(props: { readonly period: Period; readonly network: string; readonly account: string }) {
  const { period, network, account } = props
  const only = account ? { accountId: account } : network ? { platform: network as NonNullable<Asked['platform']> } : {}
  const asked: Asked = { ...period, ...only }
  const now = useSummary(asked)
  const before = useSummary({ ...asked, ...periodBefore(period) })
  if (now.isPending) return <Loading />
  if (!now.data) return <Problem error={now.error} onRetry={() => void now.refetch()} />
  if (now.data.totals.posts === 0) return <Nothing days={period.days} />
  return (
    <>
      {now.data.topPosts.some(({ origin }) => origin === 'demo') && (
        <p className="hint">
          <Trans>
            Posts marked Demo were never published: the sandbox made them up, to show what this page looks like.
          </Trans>
        </p>
      )}
      <TotalsCard now={now.data.totals} before={before.data?.totals} />
      <OverTime period={period} asked={asked} />
      {now.data.platforms.length > 1 && <ByNetwork now={now.data} before={before.data} />}
      <PostsTable asked={asked} />
      <HeatMap asked={asked} isMixed={now.data.platforms.length > 1} />
      {account && <AccountNumbers accountId={account} days={period.days} />}
    </>
  )
}

function Nothing({ days }: { readonly days: number }) {
  const { data: accounts = {} } = useAccounts()
  const measured = useMeasured()
  const networks = listed(measured, 'or')
  const isConnected = measured.some(({ key }) => (accounts[key] ?? []).length > 0)
  return (
    <Card>
      {isConnected ? (
        <Empty
          title={plural(days, { one: 'No posts on this day', other: 'No posts in these # days' })}
          action={
            <ButtonLink to="/compose">
              <Trans>Compose</Trans>
            </ButtonLink>
          }
        >
          <Trans>
            Choose a longer period, or publish a post on {networks}: its first numbers are here an hour later.
          </Trans>
        </Empty>
      ) : (
        <Empty
          title={t`No numbers yet`}
          action={
            <ButtonLink to="/accounts">
              <Trans>Connect an account</Trans>
            </ButtonLink>
          }
        >
          <Trans>Connect an account on {networks}. The other networks do not report how posts perform.</Trans>
        </Empty>
      )}
    </Card>
  )
}

/** The networks that report how posts perform. */
function useMeasured(): readonly Platform[] {
  return (usePlatforms().data ?? []).filter(({ hasNumbers }) => hasNumbers)
}

function listed(platforms: readonly Platform[], by: keyof typeof LISTS): string {
  return LISTS[by].format(platforms.map(({ name }) => name))
}
