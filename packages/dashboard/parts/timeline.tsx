import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { TimelineEvent } from '../client/types.ts'
import type { Page } from '../client/types.ts'
import { useList, type Kind } from '../client/queries.ts'
import { List } from './list.tsx'
import { inUtc, onDay } from './time.ts'

interface Timeline extends Page {
  readonly events: readonly TimelineEvent[]
}

/** The history of an object in sentences, and all of its events in the log behind "Details". */
export function TimelineList({
  of,
  id,
  read,
  sentence,
}: {
  readonly of: Kind
  readonly id: string
  readonly read: (cursor: string | undefined) => Promise<Timeline>
  /** Null for events that are only among the details. */
  readonly sentence: (event: TimelineEvent) => string | null
}) {
  const events = useList([of, id, 'events'], read)
  return (
    <List
      query={events}
      items={(page) => page.events}
      empty={
        <p className="muted">
          <Trans>Nothing has happened yet.</Trans>
        </p>
      }
    >
      {(items) => (
        <>
          <ol className="timeline">
            {items.map((event) => {
              const said = sentence(event)
              return (
                said !== null && (
                  <li key={event.revision}>
                    <p>{said}</p>
                    <p className="hint">
                      <time dateTime={event.at} title={inUtc(event.at)}>
                        {onDay(event.at)}
                      </time>
                    </p>
                  </li>
                )
              )
            })}
          </ol>
          <details>
            <summary>
              <Trans>Details</Trans>
            </summary>
            <ol className="raw-events">
              {items.map(({ revision, type, summary, at, data, requestId }) => (
                <li key={revision}>
                  <p>
                    <code>{type}</code> {at}
                  </p>
                  <p className="hint">
                    {summary} {requestId && t`Request ${requestId}.`}
                  </p>
                  <pre className="code">{JSON.stringify(data, null, 2)}</pre>
                </li>
              ))}
            </ol>
          </details>
        </>
      )}
    </List>
  )
}
