import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useDueWork } from '../../client/queries.ts'
import { usePlatformName } from '../../parts/accounts.tsx'
import { Moment } from '../../parts/shown.tsx'

/** Names for the kinds of pending work. Scheduled posts are shown by day. */
const WORK: Readonly<Record<string, string>> = {
  publish: t`Publish`,
  recycle: t`Recycle a post`,
  draft: t`Draft a reply`,
  send: t`Send a reply`,
  video: t`Make a video`,
  deliver: t`Deliver to a webhook`,
  redeliver: t`Deliver to a webhook again`,
}

function nameWork(kind: string, platform: string | undefined | null): string {
  const work = WORK[kind] ?? kind
  return platform ? t`${work} on ${platform}` : work
}

/** What Fanfare does next. */
export function InProgress() {
  const nameOf = usePlatformName()
  const next = useDueWork().data?.next.filter(({ kind }) => WORK[kind] !== undefined) ?? []
  if (next.length === 0) return null
  return (
    <details className="in-progress">
      <summary>
        <Trans>In progress ({next.length})</Trans>
      </summary>
      <ul className="work">
        {next.map(({ kind, id, dueAt, platform }) => (
          <li key={`${kind} ${id} ${platform ?? ''}`}>
            <span>{nameWork(kind, platform && nameOf(platform))}</span>
            <span className="hint">
              <Moment at={dueAt} short />
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
