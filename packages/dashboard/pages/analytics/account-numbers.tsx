import { useQuery } from '@tanstack/react-query'
import { answered, api } from '../../client/client.ts'
import { Card, Loading, Problem } from '../../parts/shown.tsx'
import { OWN_ZONE } from '../../parts/time.ts'
import { shown } from './numbers.ts'

interface Median {
  readonly name: string
  readonly posts: number | undefined
  readonly views: number | undefined
  readonly interactions: number | undefined
}

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
    <Card title="What performs best">
      {(numbers.isPending || times.isPending) && <Loading />}
      {error && <Problem error={error} />}
      <div className="stack">
        {numbers.data && (
          <>
            <Medians
              title="Formats"
              rows={numbers.data.formats.map(
                ({ format, posts, medianViews: views, medianInteractions: interactions }) => ({
                  ...{ name: format, posts, views, interactions },
                }),
              )}
            />
            <Medians
              title="Hashtags"
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
              title={times.data.basedOn === 'history' ? 'Best times' : 'Best times, in general'}
              rows={times.data.bestTimes.map(
                ({ weekday, hour, posts, medianViews: views, medianInteractions: interactions }) => ({
                  ...{ name: `${weekday} ${String(hour).padStart(2, '0')}:00`, posts, views, interactions },
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

function Medians({ title, rows }: { readonly title: string; readonly rows: readonly Median[] }) {
  if (rows.length === 0) return null
  return (
    <div className="table-scroll">
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{title.split(',')[0]}</th>
            <th scope="col" className="number">
              Posts
            </th>
            <th scope="col" className="number">
              Median views
            </th>
            <th scope="col" className="number">
              Median interactions
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
