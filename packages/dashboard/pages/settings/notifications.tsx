import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { answered, api, ownApi } from '../../client/client.ts'
import { pageAfter, useList, useSession } from '../../client/queries.ts'
import type { Channel } from '../../client/types.ts'
import { Button } from '../../parts/buttons.tsx'
import { Dialog } from '../../parts/dialogs.tsx'
import { ItemList } from '../../parts/list.tsx'
import { Page } from '../../parts/page.tsx'
import { Card, Empty } from '../../parts/shown.tsx'
import { AddChannel, ChangeChannel } from './notifications/channel-form.tsx'
import { ChannelItem } from './notifications/channel-item.tsx'
import { ThisBrowser } from './notifications/this-browser.tsx'

export default function Notifications() {
  const { permissions } = useSession()
  return (
    <Page title={t`Notifications`} intro={t`How you hear about what needs you while this page is closed.`}>
      <ThisBrowser />
      <Channels
        title={t`Only for me`}
        adding={t`Add a channel only for me`}
        of="own"
        client={ownApi}
        isEditable
        empty={t`Get an e-mail or a message when a post fails, an account must be connected again or a reply waits for review.`}
      />
      {permissions.includes('webhooks:read') && (
        <Channels
          title={t`For the workspace`}
          adding={t`Add a channel for the workspace`}
          of="workspace"
          client={api}
          isEditable={permissions.includes('webhooks:write')}
          empty={t`Add the chat channel or the mailbox that your team shares.`}
        />
      )}
    </Page>
  )
}

function Channels(props: {
  readonly title: string
  /** Accessible name of the button that adds one. */
  readonly adding: string
  readonly of: string
  readonly client: typeof api
  readonly isEditable: boolean
  readonly empty: string
}) {
  const { title, adding, of, client, isEditable, empty } = props
  const [isAdding, setAdding] = useState(false)
  const [changing, setChanging] = useState<Channel>()
  const channels = useList(['channel', of], (cursor) =>
    answered(client.GET('/notification-channels', { params: { query: pageAfter(cursor) } })),
  )
  const add = isEditable && (
    <Button small aria-label={adding} onPress={() => setAdding(true)}>
      <Trans>Add a channel</Trans>
    </Button>
  )
  return (
    <Card title={title} action={add}>
      <ItemList
        query={channels}
        items={(page) => page.channels}
        empty={<Empty title={t`No channels yet`}>{empty}</Empty>}
      >
        {(channel) => (
          <ChannelItem
            key={channel.id}
            channel={channel}
            client={client}
            isEditable={isEditable}
            onChange={() => setChanging(channel)}
          />
        )}
      </ItemList>
      <Dialog title={t`Add a channel`} isOpen={isAdding} onClose={() => setAdding(false)}>
        <AddChannel client={client} onDone={() => setAdding(false)} />
      </Dialog>
      <Dialog title={t`Change the channel`} isOpen={changing !== undefined} onClose={() => setChanging(undefined)}>
        {changing && <ChangeChannel client={client} channel={changing} onDone={() => setChanging(undefined)} />}
      </Dialog>
    </Card>
  )
}
