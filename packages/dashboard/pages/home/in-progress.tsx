import { usePlatformName } from '../../parts/accounts.tsx'
import { Moment } from '../../parts/shown.tsx'
import { useDueWork } from './held.tsx'

/** Names for the kinds of pending work. Scheduled posts are shown by day. */
const WORK: Readonly<Record<string, string>> = {
  publish: 'Publish',
  recycle: 'Recycle a post',
  draft: 'Draft a reply',
  send: 'Send a reply',
  video: 'Make a video',
  deliver: 'Deliver to a webhook',
  redeliver: 'Deliver to a webhook again',
}

/** What Fanfare does next. */
export function InProgress() {
  const nameOf = usePlatformName()
  const next = useDueWork().data?.next.filter(({ kind }) => WORK[kind] !== undefined) ?? []
  if (next.length === 0) return null
  return (
    <details className="in-progress">
      <summary>In progress ({next.length})</summary>
      <ul className="work">
        {next.map(({ kind, id, dueAt, platform }) => (
          <li key={`${kind} ${id} ${platform ?? ''}`}>
            <span>
              {WORK[kind]}
              {platform && ` on ${nameOf(platform)}`}
            </span>
            <span className="hint">
              <Moment at={dueAt} short />
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
