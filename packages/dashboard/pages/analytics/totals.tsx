import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Summary } from '../../client/types.ts'
import { Card } from '../../parts/shown.tsx'
import { Change } from './change.tsx'
import { shown, shownRate } from './numbers.ts'

type Totals = Summary['totals']

const FIGURES = [
  { name: 'views', label: t`Views`, format: shown },
  { name: 'interactions', label: t`Interactions`, format: shown },
  { name: 'engagementRate', label: t`Engagement`, format: shownRate },
  { name: 'posts', label: t`Posts`, format: shown },
] as const

export function TotalsCard({ now, before }: { readonly now: Totals; readonly before: Totals | undefined }) {
  return (
    <Card title={t`Totals`}>
      <dl className="tiles numbers">
        {FIGURES.map(({ name, label, format }) => (
          <div key={name} data-figure={name}>
            <dt>{label}</dt>
            <dd>
              {format(now[name])} <Change now={now[name]} before={before?.[name]} />
            </dd>
            {before && before.posts > 0 && (
              <dd className="hint">
                <Trans>{{ value: format(before[name]) }} in the period before</Trans>
              </dd>
            )}
          </div>
        ))}
      </dl>
    </Card>
  )
}
