import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { answered, api } from '../../client/client.ts'
import { usePlatforms } from '../../client/queries.ts'
import type { Post } from '../../client/types.ts'
import { Moment } from '../../parts/shown.tsx'
import { shown } from '../analytics/numbers.ts'

const METRICS: Readonly<Record<string, string>> = {
  views: t`views`,
  impressions: t`impressions`,
  likes: t`likes`,
  reposts: t`reposts`,
  replies: t`replies`,
  quotes: t`quotes`,
  bookmarks: t`bookmarks`,
  comments: t`comments`,
  reactions: t`reactions`,
  saves: t`saves`,
  pinClicks: t`pin clicks`,
  outboundClicks: t`outbound clicks`,
}

/** The newest numbers of a post on one account. Absent until the platform has reported some. */
export function Numbers(of: { readonly post: Post; readonly platform: string; readonly accountId: string }) {
  const { data: platforms = [] } = usePlatforms()
  const { id } = of.post
  const numbers = useQuery({
    queryKey: ['analytics', 'post', id, of.platform],
    enabled: platforms.some(({ key, capabilities }) => key === of.platform && capabilities.includes('analytics')),
    queryFn: () =>
      answered(
        api.GET('/posts/{id}/analytics', {
          params: { path: { id }, query: { platform: of.platform, source: 'captured' } },
        }),
      ),
  })
  const { metrics, capturedAt } = numbers.data?.accounts.find(({ accountId }) => accountId === of.accountId) ?? {}
  if (!metrics || !capturedAt) return null
  return (
    <p className="item-line">
      {Object.entries(metrics).map(([name, value]) => (
        <span key={name}>
          <b>{shown(value)}</b> {METRICS[name] ?? name}
        </span>
      ))}
      <span className="hint">
        <Trans>
          as of <Moment at={capturedAt} />
        </Trans>
      </span>
    </p>
  )
}
