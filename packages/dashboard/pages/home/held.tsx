import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'
import { useDueWork } from '../../client/queries.ts'
import type { RestoredWork } from '../../client/session-api.ts'
import { usePlatformName } from '../../parts/accounts.tsx'
import { Moment } from '../../parts/shown.tsx'

/** Why nothing is sent, and which work waits for an administrator's review. */
export function Held() {
  const { heldSince, restored = [] } = useDueWork().data ?? {}
  if (heldSince === undefined) return null
  return (
    <div className="problem" role="status">
      <p>
        <Trans>
          Publishing has been paused since <Moment at={heldSince} />: the service was restored from a backup, or an
          import is running. After a restore, Fanfare first checks which posts are already live. Your administrator
          resumes publishing with <code>fanfare restore release</code>.
        </Trans>
      </p>
      {restored.length > 0 && (
        <ul>
          {restored.map((work) => (
            <Restored key={`${work.kind} ${work.id} ${work.platform ?? ''}`} of={work} />
          ))}
        </ul>
      )}
    </div>
  )
}

const KINDS: Readonly<Record<string, string>> = {
  publish: t`Post`,
  send: t`Reply`,
  schedule: t`Scheduled post`,
  recycle: t`Recycling rule`,
  feed: t`RSS feed`,
}
const OUTCOMES: Readonly<Record<RestoredWork['outcome'], string>> = {
  found: t`already live.`,
  absent: t`not live. It will be sent.`,
  new: t`created after the restore. It will be sent.`,
  unknown: t`could not be checked. Look for it yourself.`,
  unreachable: t`could not be checked yet.`,
  skipped: t`new items at its next check will not be posted.`,
}

function Restored({ of: { kind, id, platform, text, outcome, reason } }: { readonly of: RestoredWork }) {
  const nameOf = usePlatformName()
  const work = KINDS[kind] ?? kind
  const name = platform ? t`${work} on ${nameOf(platform)}` : work
  return (
    <li>
      {kind === 'publish' ? <Link to={`/posts/${id}`}>{name}</Link> : name}
      {text && ` “${text}”`}: {OUTCOMES[outcome]}
      {outcome === 'unknown' && reason && <span className="hint"> {reason}</span>}
    </li>
  )
}
