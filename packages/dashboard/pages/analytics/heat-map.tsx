import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { HourNumbers } from '../../client/types.ts'
import { Card, Loading, Problem } from '../../parts/shown.tsx'
import { WEEKDAYS } from '../../parts/weekdays.ts'
import { bestHours, hourSentence } from './best-hours.ts'
import { shown } from './numbers.ts'
import { useHours, useWorkspaceZone, type Asked } from './queries.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const SHADES = 5

/** The median interactions of the posts of each hour of the week. */
export function HeatMap({ asked, isMixed }: { readonly asked: Asked; readonly isMixed: boolean }) {
  const zone = useWorkspaceZone()
  return <Card title={t`Best times`}>{zone ? <Week asked={asked} zone={zone} isMixed={isMixed} /> : <Loading />}</Card>
}

function Week(props: { readonly asked: Asked; readonly zone: string; readonly isMixed: boolean }) {
  const { asked, zone, isMixed } = props
  const found = useHours(asked, zone)
  if (found.isPending) return <Loading />
  if (!found.data) return <Problem error={found.error} onRetry={() => void found.refetch()} />
  const known = found.data.hours.filter(({ medianInteractions }) => medianInteractions !== undefined)
  const most = Math.max(0, ...known.map(({ medianInteractions = 0 }) => medianInteractions))
  const cells = new Map(known.map((of) => [`${of.weekday} ${of.hour}`, of]))
  const best = bestHours(found.data.hours)
  return (
    <>
      <p>
        {best.length === 0
          ? t`No hour has two posts yet. The more you post, the more this says.`
          : t`Best so far: ${{ hours: best.map(hourSentence).join('; ') }}.`}
      </p>
      <div className="table-scroll" role="region" aria-label={t`Best times, by hour`} tabIndex={0}>
        <table className="heat-map">
          <caption className="visually-hidden">
            <Trans>Median interactions by weekday and hour</Trans>
          </caption>
          <thead>
            <tr>
              <td />
              {HOURS.map((hour) => (
                <th key={hour} scope="col">
                  {hour}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {WEEKDAYS.map(({ key, long, short }) => (
              <tr key={key}>
                <th scope="row" abbr={long}>
                  {short}
                </th>
                {HOURS.map((hour) => (
                  <Cell key={hour} of={cells.get(`${key} ${hour}`)} most={most} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="hint">
        <Trans>
          Median interactions of the posts that were published in each hour, in {{ zone: zone.replaceAll('_', ' ') }}.
        </Trans>{' '}
        {isMixed && <Trans>Networks differ in size: choose one to compare like with like.</Trans>}
      </p>
    </>
  )
}

function Cell({ of, most }: { readonly of: HourNumbers | undefined; readonly most: number }) {
  if (!of) return <td />
  const { medianInteractions = 0 } = of
  const shade = most === 0 ? 1 : Math.max(1, Math.ceil((medianInteractions / most) * SHADES))
  return (
    <td className={`shade-${shade}`} title={hourSentence(of)}>
      {shown(Math.round(medianInteractions))}
    </td>
  )
}
