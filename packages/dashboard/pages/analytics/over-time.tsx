import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import type { DayNumbers } from '../../client/types.ts'
import { usePlatforms } from '../../client/queries.ts'
import { usePlatformName } from '../../parts/accounts.tsx'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Segments } from '../../parts/fields.tsx'
import { saveCsv } from '../../parts/save-file.ts'
import { Card, Loading, Problem } from '../../parts/shown.tsx'
import { OWN_ZONE, startOf } from '../../parts/time.ts'
import { useUrlState } from '../../parts/url-state.ts'
import { locale } from '../../parts/words.ts'
import { ColumnChart } from './column-chart.tsx'
import { columnsOf, formatOf, METRICS, type Column, type Metric } from './metrics.ts'
import { bucketsOf, periodBefore, type Bucket, type Period } from './period.ts'
import { savePng } from './png.ts'
import { useDaily, type Asked } from './queries.ts'

const dayName = new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short' })
const longName = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' })
/** Of the networks with numbers, in the order of their keys: each keeps its color. A rate has the first. */
const COLORS = ['series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6'] as const

/** A metric by the day or week on which the posts were published. */
export function OverTime({ period, asked }: { readonly period: Period; readonly asked: Asked }) {
  const [metric, setMetric] = useUrlState<Metric>('metric', 'views')
  const now = useDaily(asked, OWN_ZONE)
  const before = useDaily({ ...asked, ...periodBefore(period) }, OWN_ZONE)
  return (
    <Card title={t`By publish date`} action={now.data && <SaveDays days={now.data.daily} asked={asked} />}>
      <Segments label={t`Metric`} value={metric} options={METRICS} onChange={setMetric} />
      {now.isPending && <Loading />}
      {now.error && <Problem error={now.error} onRetry={() => void now.refetch()} />}
      {now.data && (
        <Chart
          metric={metric}
          columns={columnsOf(metric, now.data.daily, bucketsOf(period))}
          before={columnsOf(metric, before.data?.daily ?? [], bucketsOf(periodBefore(period)))}
        />
      )}
    </Card>
  )
}

function SaveDays({ days, asked }: { readonly days: readonly DayNumbers[]; readonly asked: Asked }) {
  const save = () =>
    saveCsv(`analytics-${asked.asOf}.csv`, [
      ['date', 'network', 'posts', 'views', 'interactions', 'likes', 'comments'],
      ...days.map((day) => [day.date, day.platform, day.posts, day.views, day.interactions, day.likes, day.comments]),
    ])
  return (
    <Button small look="quiet" onPress={save}>
      <Trans>Save as CSV</Trans>
    </Button>
  )
}

function Chart(props: {
  readonly metric: Metric
  readonly columns: readonly Column[]
  readonly before: readonly Column[]
}) {
  const { metric, columns, before } = props
  const chart = useRef<SVGSVGElement>(null)
  const [pointed, setPointed] = useState<number>()
  const nameOf = usePlatformName()
  const { data: platforms = [] } = usePlatforms()
  const format = formatOf(metric)
  const label = METRICS.find(({ value }) => value === metric)?.label ?? metric
  if (columns.every(({ total }) => total === undefined)) {
    return (
      <p className="muted">
        <Trans>None of these posts has this number: not every network reports it.</Trans>
      </p>
    )
  }
  const networks = [...new Set(columns.flatMap(({ parts }) => Object.keys(parts)))].toSorted()
  const measured = platforms.flatMap(({ key, hasNumbers }) => (hasNumbers ? [key] : [])).toSorted()
  const colors = new Map(measured.map((network, index) => [network, COLORS[index] ?? COLORS[0]]))
  const span = spanOf({ first: columns[0]?.first ?? '', last: columns.at(-1)?.last ?? '' })
  const title = t`${label} by publish date, ${span}`
  const save = async () => {
    const legend = networks.map((network) => ({ name: nameOf(network), color: colors.get(network) ?? COLORS[0] }))
    if (chart.current) await savePng(chart.current, `${metric}-${columns.at(-1)?.last}.png`, title, legend)
  }
  const current = columns[pointed ?? -1]
  return (
    <>
      <p className="hint chart-said" aria-hidden>
        {current ? `${spanOf(current)}: ${saidOf(current, before[pointed ?? -1], format, nameOf)}` : ''}
      </p>
      <ColumnChart
        label={title}
        chart={chart}
        format={format}
        onPoint={setPointed}
        columns={columns.map(({ first, parts, total }, index) => ({
          name: dayName.format(startOf(first)),
          total,
          before: before[index]?.total,
          parts:
            networks.length === 0
              ? [{ color: COLORS[0], value: total ?? 0 }]
              : networks.flatMap((network) =>
                  parts[network] === undefined
                    ? []
                    : [{ color: colors.get(network) ?? COLORS[0], value: parts[network] }],
                ),
        }))}
      />
      <div className="chart-foot">
        <ul className="legend" aria-label={t`Legend`}>
          {networks.map((network) => (
            <li key={network}>
              <svg className="swatch" viewBox="0 0 12 12" aria-hidden>
                <rect className={colors.get(network)} width="12" height="12" rx="2" />
              </svg>
              {nameOf(network)}
            </li>
          ))}
          {before.some(({ total }) => total !== undefined) && (
            <li>
              <svg className="swatch" viewBox="0 0 12 12" aria-hidden>
                <line className="chart-before" x1="0" x2="12" y1="6" y2="6" />
              </svg>
              <Trans>Period before</Trans>
            </li>
          )}
        </ul>
        <Actions>
          <Button small look="quiet" onPress={() => void save()}>
            <Trans>Save as PNG</Trans>
          </Button>
        </Actions>
      </div>
      <Table label={label} columns={columns} before={before} networks={networks} format={format} />
    </>
  )
}

function Table(props: {
  readonly label: string
  readonly columns: readonly Column[]
  readonly before: readonly Column[]
  readonly networks: readonly string[]
  readonly format: (value: number | undefined) => string
}) {
  const { label, columns, before, networks, format } = props
  const nameOf = usePlatformName()
  return (
    <details>
      <summary>
        <Trans>Show as a table</Trans>
      </summary>
      <div className="table-scroll">
        <table>
          <caption>
            <Trans>{label} by publish date</Trans>
          </caption>
          <thead>
            <tr>
              <th scope="col">
                <Trans context="date">Published</Trans>
              </th>
              {[...networks.map(nameOf), t({ message: 'All', context: 'networks' }), t`Period before`].map((name) => (
                <th key={name} scope="col" className="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {columns.map((column, index) => (
              <tr key={column.first}>
                <th scope="row">{spanOf(column)}</th>
                {networks.map((network) => (
                  <td key={network} className="number">
                    {format(column.parts[network])}
                  </td>
                ))}
                <td className="number">{format(column.total)}</td>
                <td className="number">{format(before[index]?.total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

function spanOf({ first, last }: Bucket): string {
  return longName.formatRange(startOf(first), startOf(last))
}

function saidOf(
  { parts, total }: Column,
  before: Column | undefined,
  format: (value: number | undefined) => string,
  nameOf: (key: string) => string,
): string {
  const each = Object.entries(parts).map(([network, value]) => `${nameOf(network)} ${format(value)}`)
  const detail = each.length > 1 ? ` (${each.join(', ')})` : ''
  const [now, past] = [`${format(total)}${detail}`, format(before?.total)]
  return t`${now}; ${past} in the period before`
}
