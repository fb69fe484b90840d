import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { answered, attemptName, named, type api } from '../../../client/client.ts'
import { pageAfter, useChange, useList } from '../../../client/queries.ts'
import type { Channel } from '../../../client/types.ts'
import { Actions, Button } from '../../../parts/buttons.tsx'
import { Irrevocable } from '../../../parts/irrevocable.tsx'
import { List } from '../../../parts/list.tsx'
import { Moment, Status } from '../../../parts/shown.tsx'
import { ALL_TOPICS, KINDS, TOPICS } from './topics.ts'

export function ChannelItem(props: {
  readonly channel: Channel
  readonly client: typeof api
  readonly isEditable: boolean
  readonly onChange: () => void
}) {
  const { channel, client, isEditable, onChange } = props
  const { id, kind, label, address, status, topics } = channel
  const kindName = kind === 'push' ? address : KINDS[kind]
  const name = label === '' ? kindName : label
  const isConfirmed = status === 'active'
  const where = kind === 'push' ? t`Browser` : label === '' ? address : `${kindName}, ${address}`
  const times = timesOf(channel)
  const params = { path: { id } }
  const test = useChange({
    change: () =>
      answered(client.POST('/notification-channels/{id}/test', { params: { ...params, ...named(attemptName()) } })),
    touches: ['channel'],
    done: isConfirmed ? t`A test is on its way.` : t`The link is on its way.`,
  })
  return (
    <li>
      <div className="item-body">
        <div className="item-line">
          <strong>{name}</strong>
          {!isConfirmed && <Status of={t`Not confirmed`} />}
        </div>
        <p className="muted">{isConfirmed ? where : t`${where}. Open the link that was sent there, and confirm.`}</p>
        <p className="hint">
          {topics.length === ALL_TOPICS.length ? t`Everything` : topics.map((topic) => TOPICS[topic]).join(', ')}
          {times && `. ${times}`}
        </p>
        <Sent channelId={id} client={client} />
      </div>
      {isEditable && (
        <Actions>
          <Button
            small
            aria-label={isConfirmed ? t`Send a test to ${name}` : t`Send the link again to ${name}`}
            isPending={test.isPending}
            onPress={() => test.mutate(undefined)}
          >
            {isConfirmed ? t`Send a test` : t`Send the link again`}
          </Button>
          <Button small aria-label={t`Edit ${name}`} onPress={onChange}>
            <Trans>Edit</Trans>
          </Button>
          <Irrevocable
            small
            action={t`Remove`}
            name={t`Remove ${name}`}
            title={t`Remove ${name}?`}
            change={() => answered(client.DELETE('/notification-channels/{id}', { params }))}
            touches={['channel']}
            done={t`${name} is removed.`}
          >
            <Trans>{address} gets no more messages.</Trans>
          </Irrevocable>
        </Actions>
      )}
    </li>
  )
}

function timesOf({ quietHours, digestAt, timezone }: Channel): string | undefined {
  if (digestAt !== null) return t`Once a day, at ${digestAt} (${timezone})`
  if (quietHours === null) return undefined
  const { from, to } = quietHours
  return t`Quiet from ${from} to ${to} (${timezone})`
}

/** The latest messages, once somebody asks for them. */
function Sent({ channelId, client }: { readonly channelId: string; readonly client: typeof api }) {
  const [isOpen, setOpen] = useState(false)
  const sent = useList(
    ['channel', channelId, 'sent'],
    (cursor) =>
      answered(
        client.GET('/notification-channels/{id}/notifications', {
          params: { path: { id: channelId }, query: pageAfter(cursor, 5) },
        }),
      ),
    isOpen,
  )
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Trans>What was sent</Trans>
      </summary>
      {isOpen && (
        <List
          query={sent}
          items={(page) => page.notifications}
          empty={
            <p className="hint">
              <Trans>Nothing yet.</Trans>
            </p>
          }
        >
          {(items) => (
            <ul className="items">
              {items.map(({ id, status, items: lines, createdAt, dueAt, lastError }) => (
                <li key={id}>
                  <div className="item-body">
                    <div className="item-line">
                      <Status of={status} />
                      <span className="hint">
                        <Moment at={dueAt ?? createdAt} />
                      </span>
                    </div>
                    {lines.map(({ text }, n) => (
                      <p key={n} className="said">
                        {text}
                      </p>
                    ))}
                    {lastError && <p className="said">{lastError}</p>}
                  </div>
                </li>
              ))}
            </ul>
          )}
        </List>
      )}
    </details>
  )
}
