import { useQuery } from '@tanstack/react-query'
import { answered, api } from '../../client/client.ts'
import { Card, Loading, Problem } from '../../parts/shown.tsx'
import { BarChart } from './bar-chart.tsx'
import { shown, viewsByDay } from './numbers.ts'

/** How many posts the chart covers, those with the most views. */
const MOST_POSTS = 100

export function ViewsByDay({ query }: { readonly query: { readonly days: number; readonly accountId?: string } }) {
  const posts = useQuery({
    queryKey: ['analytics', 'by-day', query],
    queryFn: () => answered(api.GET('/analytics/top-posts', { params: { query: { ...query, limit: MOST_POSTS } } })),
    select: ({ posts, nextCursor }) => ({ days: viewsByDay(posts, query.days), isCut: nextCursor !== null }),
    placeholderData: (before) => before,
  })
  return (
    <Card title="Views by publish date">
      {posts.isPending && <Loading />}
      {posts.error && <Problem error={posts.error} onRetry={() => void posts.refetch()} />}
      {posts.data && posts.data.days.every(({ value }) => value === 0) && <p className="muted">No views yet.</p>}
      {posts.data?.days.some(({ value }) => value > 0) && (
        <>
          <BarChart label={`Views by publish date, last ${query.days} days`} values={posts.data.days} />
          {posts.data.isCut && <p className="hint">Of the {MOST_POSTS} posts with the most views.</p>}
          <details>
            <summary>Show as a table</summary>
            <table>
              <thead>
                <tr>
                  <th scope="col">Day</th>
                  <th scope="col" className="number">
                    Views
                  </th>
                </tr>
              </thead>
              <tbody>
                {posts.data.days
                  .filter(({ value }) => value > 0)
                  .map(({ day, value }) => (
                    <tr key={day}>
                      <td>{day}</td>
                      <td className="number">{shown(value)}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
          </details>
        </>
      )}
    </Card>
  )
}
