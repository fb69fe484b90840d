import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { answered, api } from '../../client/client.ts'
import type { Forecast, ForecastEntry } from '../../client/types.ts'
import { PlatformIcons } from '../../parts/platform-icon.tsx'
import { Card, Loading, Moment, Problem } from '../../parts/shown.tsx'

const DAYS = 30
const SHOWN = 12
const KINDS = {
  published: t`published`,
  waits: t`waits`,
  fails: t`fails`,
  held: t({ message: 'held', context: 'status of a post' }),
  warning: t`warning`,
} as const
const TONES = { published: 'good', waits: 'busy', fails: 'bad', held: 'bad', warning: 'busy' } as const

/** What will become of what is planned: how much is published, and everything that somebody may want to prevent. */
export function WhatWouldHappen() {
  const forecast = useQuery({
    queryKey: ['scheduled-post', 'forecast', DAYS],
    queryFn: () => answered(api.GET('/forecast', { params: { query: { days: DAYS } } })),
  })
  return (
    <Card title={t`What would happen`}>
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
      {more > 0 && (
        <p className="hint">
          <Trans>And {more} more.</Trans>
        </p>
      )}
      {cutAt && (
        <p className="hint">
          <Trans>
            More is planned than a forecast covers: it ends on <Moment at={cutAt} />.
          </Trans>
        </p>
      )}
    </>
  )
}

/** `134 posts are published in the next 30 days. 3 of them later than planned. Platforms charge $0.45.` */
function summaryOf({ published, waits, usd }: Forecast['totals']): string {
  if (published === 0) return t`Nothing is published in the next ${DAYS} days.`
  const sentences = [
    plural(published, {
      one: `One post is published in the next ${DAYS} days.`,
      other: `# posts are published in the next ${DAYS} days.`,
    }),
    waits > 0 && t`${waits} of them later than planned.`,
    usd > 0 && t`Platforms charge $${usd.toFixed(2)}.`,
  ]
  return sentences.filter(Boolean).join(' ')
}

function Trouble({ of }: { readonly of: ForecastEntry }) {
  const [postId] = of.postIds
  return (
    <li>
      <div className="item-body">
        {postId === undefined ? <span>{of.sentence}</span> : <Link to={`/posts/${postId}`}>{of.sentence}</Link>}
        <div className="item-line">
          <span className={`status ${TONES[of.kind]}`}>{KINDS[of.kind]}</span>
          {of.platform && <PlatformIcons of={[of.platform]} />}
          <span className="hint">
            {of.until ? (
              <Trans>
                <Moment at={of.at} /> until <Moment at={of.until} />
              </Trans>
            ) : (
              <Moment at={of.at} />
            )}
          </span>
        </div>
      </div>
    </li>
  )
}
