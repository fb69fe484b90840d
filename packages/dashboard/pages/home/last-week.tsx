import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { sessionApi, type Week } from '../../client/session-api.ts'
import { Card, Loading, Problem } from '../../parts/shown.tsx'
import { shown } from '../analytics/numbers.ts'

const FIGURES: readonly { readonly name: keyof Week; readonly label: string; readonly to: string }[] = [
  { name: 'published', label: t`Published`, to: '/posts' },
  { name: 'views', label: t`Views`, to: '/analytics?days=7' },
  { name: 'interactions', label: t`Interactions`, to: '/analytics?days=7' },
]

/** How the last 7 days went, against the 7 days before. */
export function LastWeek() {
  const weeks = useQuery({ queryKey: ['analytics', 'recent-weeks'], queryFn: sessionApi.recentWeeks })
  const { last, before } = weeks.data ?? {}
  return (
    <Card
      title={t`Last 7 days`}
      action={
        <Link to="/analytics">
          <Trans>Analytics</Trans>
        </Link>
      }
    >
      {weeks.isPending && <Loading lines={3} />}
      {weeks.error && <Problem error={weeks.error} onRetry={() => void weeks.refetch()} />}
      {last && before && (
        <>
          <ul className="figures">
            {FIGURES.map(({ name, label, to }) => (
              <li key={name}>
                <Link to={to} data-figure={name}>
                  <span>{label}</span> <strong>{shown(last[name] ?? undefined)}</strong>{' '}
                  <span className="hint">
                    <Trans>{shown(before[name] ?? undefined)} the week before</Trans>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
          {weeks.data?.hasDemo && (
            <p className="hint">
              <Trans>With the invented posts of the demo.</Trans>
            </p>
          )}
          {last.views === null && last.interactions === null && (
            <p className="hint">
              <Trans>Views and interactions appear about an hour after a post, where a network reports them.</Trans>
            </p>
          )}
        </>
      )}
    </Card>
  )
}
