import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { answered, api } from '../../client/client.ts'
import { Card, Loading, Problem } from '../../parts/shown.tsx'
import { OWN_ZONE } from '../../parts/time.ts'
import { dayLabel } from '../../parts/weekdays.ts'
import { shown } from './numbers.ts'

interface Median {
  readonly name: string
  readonly posts: number | undefined
  readonly views: number | undefined
  readonly interactions: number | undefined
}

const FORMATS = { image: t`image`, video: t`video`, document: t`document`, text: t`text` }

/** What performs well on one account: formats, hashtags, times. */
export function AccountNumbers({ accountId, days }: { readonly accountId: string; readonly days: number }) {
  const path = { accountId }
  const numbers = useQuery({
    queryKey: ['analytics', 'account', accountId, days],
    queryFn: () => answered(api.GET('/analytics/accounts/{accountId}', { params: { path, query: { days } } })),
  })
  const times = useQuery({
    queryKey: ['analytics', 'times', accountId, days],
    queryFn: () =>
      answered(
        api.GET('/analytics/accounts/{accountId}/best-times', {
          params: { path, query: { days, timezone: OWN_ZONE } },
        }),
      ),
  })
  const error = numbers.error ?? times.error
  return (
    <Card title={t`What performs best`}>
      {(numbers.isPending || times.isPending) && <Loading />}
      {error && <Problem error={error} />}
      <div className="stack">
        {numbers.data && (
          <>
            <Medians
              title={t`Formats`}
              column={t`Formats`}
              rows={numbers.data.formats.map(
                ({ format, posts, medianViews: views, medianInteractions: interactions }) => ({
                  ...{ name: FORMATS[format], posts, views, interactions },
                }),
              )}
            />
            <Medians
              title={t`Hashtags`}
              column={t`Hashtags`}
              rows={numbers.data.hashtags.map(
                ({ hashtag, posts, medianViews: views, medianInteractions: interactions }) => ({
                  ...{ name: hashtag, posts, views, interactions },
                }),
              )}
            />
          </>
        )}
        {times.data && (
          <>
            <Medians
              title={times.data.basedOn === 'history' ? t`Best times` : t`Best times, in general`}
              column={t`Best times`}
              rows={times.data.bestTimes.map(
                ({ weekday, hour, posts, medianViews: views, medianInteractions: interactions }) => ({
                  ...{ name: `${dayLabel(weekday)} ${String(hour).padStart(2, '0')}:00`, posts, views, interactions },
                }),
              )}
            />
            {times.data.guidance?.map((sentence) => (
              <p key={sentence} className="hint">
                {sentence}
              </p>
            ))}
          </>
        )}
      </div>
    </Card>
  )
}

function Medians(props: {
  readonly title: string
  /** What the rows are. */
  readonly column: string
  readonly rows: readonly Median[]
}) {
  const { title, column, rows } = props
  if (rows.length === 0) return null
  return (
    <div className="table-scroll">
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{column}</th>
            <th scope="col" className="number">
              <Trans>Posts</Trans>
            </th>
            <th scope="col" className="number">
              <Trans>Median views</Trans>
            </th>
            <th scope="col" className="number">
              <Trans>Median interactions</Trans>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, posts, views, interactions }) => (
            <tr key={name}>
              <td>{name}</td>
              <td className="number">{shown(posts)}</td>
              <td className="number">{shown(views)}</td>
              <td className="number">{shown(interactions)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
