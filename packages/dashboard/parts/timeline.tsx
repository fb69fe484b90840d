import type { TimelineEvent } from '../client/types.ts'
import type { Page } from '../client/types.ts'
import { useList, type Kind } from '../client/queries.ts'
import { useAccountName } from './accounts.tsx'
import { List } from './list.tsx'
import { Moment } from './shown.tsx'

interface Timeline extends Page {
  readonly events: readonly TimelineEvent[]
}

const BY: Readonly<Record<TimelineEvent['by']['kind'], string>> = {
  'api-key': 'by a key',
  cli: 'on the command line',
  user: 'by',
  reactor: 'by the service',
}

/** How sentences refer to an account; users know it by its label. */
const ACCOUNT = /acc_[0-9A-Z]{26}/g

/** The history of an object in sentences, from the log. */
export function TimelineList({
  of,
  id,
  read,
}: {
  readonly of: Kind
  readonly id: string
  readonly read: (cursor: string | undefined) => Promise<Timeline>
}) {
  const nameOf = useAccountName()
  const events = useList([of, id, 'events'], read)
  return (
    <List query={events} items={(page) => page.events} empty={<p className="muted">Nothing has happened yet.</p>}>
      {(items) => (
        <ol className="timeline">
          {items.map((event) => (
            <li key={event.revision}>
              <p>{event.summary.replace(ACCOUNT, (found) => nameOf(found))}</p>
              <p className="hint">
                <Moment at={event.at} /> {BY[event.by.kind] ?? ''} {event.by.label ?? ''}
              </p>
              <details>
                <summary>{event.type}</summary>
                <pre className="code">{JSON.stringify(event.data, null, 2)}</pre>
                {event.requestId && <p className="hint">Request {event.requestId}</p>}
              </details>
            </li>
          ))}
        </ol>
      )}
    </List>
  )
}
