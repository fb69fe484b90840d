import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { sessionApi, type Week } from '../../client/session-api.ts'
import { Card, Loading, Problem } from '../../parts/shown.tsx'
import { shown } from '../analytics/numbers.ts'

const FIGURES: readonly { readonly name: keyof Week; readonly label: string; readonly to: string }[] = [
  { name: 'published', label: 'Published', to: '/posts' },
  { name: 'views', label: 'Views', to: '/analytics?days=7' },
  { name: 'interactions', label: 'Interactions', to: '/analytics?days=7' },
]

/** How the last 7 days went, against the 7 days before. */
export function LastWeek() {
  const weeks = useQuery({ queryKey: ['analytics', 'recent-weeks'], queryFn: sessionApi.recentWeeks })
  const { last, before } = weeks.data ?? {}
  return (
    <Card title="Last 7 days" action={<Link to="/analytics">Analytics</Link>}>
      {weeks.isPending && <Loading lines={3} />}
      {weeks.error && <Problem error={weeks.error} onRetry={() => void weeks.refetch()} />}
      {last && before && (
        <>
          <ul className="figures">
            {FIGURES.map(({ name, label, to }) => (
              <li key={name}>
                <Link to={to} data-figure={name}>
                  <span>{label}</span> <strong>{shown(last[name] ?? undefined)}</strong>{' '}
                  <span className="hint">{shown(before[name] ?? undefined)} the week before</span>
                </Link>
              </li>
            ))}
          </ul>
          {weeks.data?.hasDemo && <p className="hint">With the invented posts of the demo.</p>}
          {last.views === null && last.interactions === null && (
            <p className="hint">
              Views and interactions appear about an hour after a post, where a network reports them.
            </p>
          )}
        </>
      )}
    </Card>
  )
}
