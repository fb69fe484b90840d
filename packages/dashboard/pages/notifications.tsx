import { useState } from 'react'
import { answered, api, ownApi } from '../client/client.ts'
import { pageAfter, useList, useSession } from '../client/queries.ts'
import type { Channel } from '../client/types.ts'
import { Button } from '../parts/buttons.tsx'
import { Dialog } from '../parts/dialogs.tsx'
import { ItemList } from '../parts/list.tsx'
import { Page } from '../parts/page.tsx'
import { Card, Empty } from '../parts/shown.tsx'
import { AddChannel, ChangeChannel } from './notifications/channel-form.tsx'
import { ChannelItem } from './notifications/channel-item.tsx'
import { ThisBrowser } from './notifications/this-browser.tsx'

export default function Notifications() {
  const { permissions } = useSession()
  return (
    <Page title="Notifications" intro="How you hear about what needs you while this page is closed.">
      <ThisBrowser />
      <Channels
        title="Only for me"
        of="own"
        client={ownApi}
        isEditable
        empty="Get an e-mail or a message when a post fails, an account must be connected again or a reply waits for review."
      />
      {permissions.includes('webhooks:read') && (
        <Channels
          title="For the workspace"
          of="workspace"
          client={api}
          isEditable={permissions.includes('webhooks:write')}
          empty="Add the chat channel or the mailbox that your team shares."
        />
      )}
    </Page>
  )
}

function Channels(props: {
  readonly title: string
  readonly of: string
  readonly client: typeof api
  readonly isEditable: boolean
  readonly empty: string
}) {
  const { title, of, client, isEditable, empty } = props
  const [isAdding, setAdding] = useState(false)
  const [changing, setChanging] = useState<Channel>()
  const channels = useList(['channel', of], (cursor) =>
    answered(client.GET('/notification-channels', { params: { query: pageAfter(cursor) } })),
  )
  const add = isEditable && (
    <Button small aria-label={`Add a channel ${title.toLowerCase()}`} onPress={() => setAdding(true)}>
      Add a channel
    </Button>
  )
  return (
    <Card title={title} action={add}>
      <ItemList query={channels} items={(page) => page.channels} empty={<Empty title="No channels yet">{empty}</Empty>}>
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
      <Dialog title="Add a channel" isOpen={isAdding} onClose={() => setAdding(false)}>
        <AddChannel client={client} onDone={() => setAdding(false)} />
      </Dialog>
      <Dialog title="Change the channel" isOpen={changing !== undefined} onClose={() => setChanging(undefined)}>
        {changing && <ChangeChannel client={client} channel={changing} onDone={() => setChanging(undefined)} />}
      </Dialog>
    </Card>
  )
}
