import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { answered, api } from '../../client/client.ts'
import type { Forecast, ForecastEntry } from '../../client/types.ts'
import { PlatformIcons } from '../../parts/platform-icon.tsx'
import { Card, Loading, Moment, Problem } from '../../parts/shown.tsx'

const DAYS = 30
const SHOWN = 12
const TONES = { published: 'good', waits: 'busy', fails: 'bad', held: 'bad', warning: 'busy' } as const

/** What will become of what is planned: how much is published, and everything that somebody may want to prevent. */
export function WhatWouldHappen() {
  const forecast = useQuery({
    queryKey: ['scheduled-post', 'forecast', DAYS],
    queryFn: () => answered(api.GET('/forecast', { params: { query: { days: DAYS } } })),
  })
  return (
    <Card title="What would happen">
      {forecast.error && <Problem error={forecast.error} onRetry={() => void forecast.refetch()} />}
      {forecast.isPending && <Loading lines={2} />}
      {forecast.data && <Told of={forecast.data} />}
    </Card>
  )
}

function Told({ of: { entries, totals, cutAt } }: { readonly of: Forecast }) {
  const troubles = entries.filter(({ kind }) => kind !== 'published')
  const more = troubles.length - SHOWN
  return (
    <>
      <p className="hint">{summaryOf(totals)}</p>
      {troubles.length > 0 && (
        <ul className="items">
          {troubles.slice(0, SHOWN).map((entry, index) => (
            <Trouble key={index} of={entry} />
          ))}
        </ul>
      )}
      {more > 0 && <p className="hint">And {more} more.</p>}
      {cutAt && (
        <p className="hint">
          More is planned than a forecast covers: it ends on <Moment at={cutAt} />.
        </p>
      )}
    </>
  )
}

/** `134 posts are published in the next 30 days. 3 of them later than planned. Platforms charge $0.45.` */
function summaryOf({ published, waits, usd }: Forecast['totals']): string {
  if (published === 0) return `Nothing is published in the next ${DAYS} days.`
  const posts = published === 1 ? 'One post is published' : `${published} posts are published`
  const delayed = waits > 0 ? ` ${waits} of them later than planned.` : ''
  const cost = usd > 0 ? ` Platforms charge $${usd.toFixed(2)}.` : ''
  return `${posts} in the next ${DAYS} days.${delayed}${cost}`
}

function Trouble({ of }: { readonly of: ForecastEntry }) {
  const [postId] = of.postIds
  return (
    <li>
      <div className="item-body">
        {postId === undefined ? <span>{of.sentence}</span> : <Link to={`/posts/${postId}`}>{of.sentence}</Link>}
        <div className="item-line">
          <span className={`status ${TONES[of.kind]}`}>{of.kind}</span>
          {of.platform && <PlatformIcons of={[of.platform]} />}
          <span className="hint">
            <Moment at={of.at} />
            {of.until && (
              <>
                {' until '}
                <Moment at={of.until} />
              </>
            )}
          </span>
        </div>
      </div>
    </li>
  )
}
