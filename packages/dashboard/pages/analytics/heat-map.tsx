import type { HourNumbers } from '../../client/types.ts'
import { Card, Loading, Problem } from '../../parts/shown.tsx'
import { shown } from './numbers.ts'
import { useHours, useWorkspaceZone, type Asked } from './queries.ts'

/** Monday 3 January 2000. */
const MONDAY = Date.UTC(2000, 0, 3)
const DAY_MS = 86_400_000
const longDay = new Intl.DateTimeFormat(undefined, { weekday: 'long', timeZone: 'UTC' })
const shortDay = new Intl.DateTimeFormat(undefined, { weekday: 'short', timeZone: 'UTC' })
const WEEKDAYS = (['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const).map(
  (key, index) => {
    const at = MONDAY + index * DAY_MS
    return { key, long: longDay.format(at), short: shortDay.format(at) }
  },
)
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const SHADES = 5
const NAMED = 3
/** A single post says little. */
const LEAST = 2

/** The median interactions of the posts of each hour of the week. */
export function HeatMap({ asked, isMixed }: { readonly asked: Asked; readonly isMixed: boolean }) {
  const zone = useWorkspaceZone()
  return <Card title="Best times">{zone ? <Week asked={asked} zone={zone} isMixed={isMixed} /> : <Loading />}</Card>
}

function Week(props: { readonly asked: Asked; readonly zone: string; readonly isMixed: boolean }) {
  const { asked, zone, isMixed } = props
  const found = useHours(asked, zone)
  if (found.isPending) return <Loading />
  if (!found.data) return <Problem error={found.error} onRetry={() => void found.refetch()} />
  const known = found.data.hours.filter(({ medianInteractions }) => medianInteractions !== undefined)
  const most = Math.max(0, ...known.map(({ medianInteractions = 0 }) => medianInteractions))
  const cells = new Map(known.map((of) => [`${of.weekday} ${of.hour}`, of]))
  const best = known.filter(({ posts }) => posts >= LEAST).slice(0, NAMED)
  return (
    <>
      <p>
        {best.length === 0
          ? 'No hour has two posts yet. The more you post, the more this says.'
          : `Best so far: ${best.map(said).join('; ')}.`}
      </p>
      <div className="table-scroll" role="region" aria-label="Best times, by hour" tabIndex={0}>
        <table className="heat-map">
          <caption className="visually-hidden">Median interactions by weekday and hour</caption>
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
        Median interactions of the posts that were published in each hour, in {zone.replaceAll('_', ' ')}.{' '}
        {isMixed && 'Networks differ in size: choose one to compare like with like.'}
      </p>
    </>
  )
}

function Cell({ of, most }: { readonly of: HourNumbers | undefined; readonly most: number }) {
  if (!of) return <td />
  const { medianInteractions = 0 } = of
  const shade = most === 0 ? 1 : Math.max(1, Math.ceil((medianInteractions / most) * SHADES))
  return (
    <td className={`shade-${shade}`} title={said(of)}>
      {shown(Math.round(medianInteractions))}
    </td>
  )
}

function said({ weekday, hour, posts, medianInteractions }: HourNumbers): string {
  const day = WEEKDAYS.find(({ key }) => key === weekday)?.long ?? weekday
  const count = posts === 1 ? '1 post' : `${posts} posts`
  return `${day} ${String(hour).padStart(2, '0')}:00 (median ${shown(medianInteractions)}, ${count})`
}
