import type { Summary } from '../../client/types.ts'
import { Card } from '../../parts/shown.tsx'
import { Change } from './change.tsx'
import { shown, shownRate } from './numbers.ts'

type Totals = Summary['totals']

const FIGURES = [
  { name: 'views', label: 'Views', format: shown },
  { name: 'interactions', label: 'Interactions', format: shown },
  { name: 'engagementRate', label: 'Engagement', format: shownRate },
  { name: 'posts', label: 'Posts', format: shown },
] as const

export function TotalsCard({ now, before }: { readonly now: Totals; readonly before: Totals | undefined }) {
  return (
    <Card title="Totals">
      <dl className="tiles numbers">
        {FIGURES.map(({ name, label, format }) => (
          <div key={name} data-figure={name}>
            <dt>{label}</dt>
            <dd>
              {format(now[name])} <Change now={now[name]} before={before?.[name]} />
            </dd>
            {before && before.posts > 0 && <dd className="hint">{format(before[name])} in the period before</dd>}
          </div>
        ))}
      </dl>
    </Card>
  )
}
