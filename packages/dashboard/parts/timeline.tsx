import type { TimelineEvent } from '../client/types.ts'
import type { Page } from '../client/types.ts'
import { useList, type Kind } from '../client/queries.ts'
import { useAccountName } from './accounts.tsx'
import { nameOfActor } from './actor.ts'
import { List } from './list.tsx'
import { Moment } from './shown.tsx'
import { withOwnTimes } from './time.ts'

interface Timeline extends Page {
  readonly events: readonly TimelineEvent[]
}

const KINDS = { 'api-key': 'key', reactor: 'system', user: 'user', cli: 'cli', guest: 'guest' } as const

/** How sentences refer to an account; users know it by its label. */
const ACCOUNT = /acc_[0-9A-Z]{26}/g

function actorOf({ by: { kind, id, label, via } }: TimelineEvent) {
  return { kind: via ? ('agent' as const) : KINDS[kind], name: label ?? id }
}

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
              <p>{withOwnTimes(event.summary.replace(ACCOUNT, (found) => nameOf(found)))}</p>
              <p className="hint">
                <Moment at={event.at} /> by {nameOfActor(actorOf(event))}
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
