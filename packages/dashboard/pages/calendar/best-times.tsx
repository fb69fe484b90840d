import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'
import { useAccounts, usePlatforms } from '../../client/queries.ts'
import type { HourNumbers } from '../../client/types.ts'
import { OWN_ZONE, startOf } from '../../parts/time.ts'
import { WEEKDAYS } from '../../parts/weekdays.ts'
import { bestHours, LEAST_POSTS } from '../analytics/best-hours.ts'
import { useHours, type Asked } from '../analytics/queries.ts'
import type { Filters } from './entries.ts'

const DAYS = 90

export interface BestTimes {
  readonly isKnown: boolean
  readonly at: (day: string, hour: number) => HourNumbers | undefined
}

/** The hours, in the user's zone, that worked best for the network or account of the filters. */
export function useBestTimes({ platform, account }: Pick<Filters, 'platform' | 'account'>): BestTimes {
  const { data: platforms = [] } = usePlatforms()
  const { data: accounts = {} } = useAccounts()
  const own = Object.keys(accounts).find((key) => accounts[key]?.some(({ id }) => id === account))
  const network = account === '' ? platform : own
  const hasNumbers = network === '' || platforms.some(({ key, hasNumbers }) => key === network && hasNumbers)
  const only = account
    ? { accountId: account }
    : platform
      ? { platform: platform as NonNullable<Asked['platform']> }
      : {}
  const { data } = useHours({ days: DAYS, ...only }, OWN_ZONE, hasNumbers)
  const best = hasNumbers && data ? bestHours(data.hours) : []
  return {
    isKnown: best.length > 0,
    at: (day, hour) => {
      const { key } = WEEKDAYS[(startOf(day).getDay() + 6) % 7] ?? {}
      return best.find((of) => of.weekday === key && of.hour === hour)
    },
  }
}

export function BestTimesLegend() {
  return (
    <li>
      <span className="best-shade" aria-hidden />
      <span>
        <Trans>
          Best times: most interactions per post, of the hours with at least {LEAST_POSTS} posts in {DAYS} days.{' '}
          <Link to={`/analytics?days=${DAYS}`}>Show the numbers</Link>
        </Trans>
      </span>
    </li>
  )
}
