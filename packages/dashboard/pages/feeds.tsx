import { useState } from 'react'
import { answered, api, attemptName, named } from '../client/client.ts'
import { pageAfter, useChange, useList } from '../client/queries.ts'
import type { Feed } from '../client/types.ts'
import { PlatformName } from '../parts/accounts.tsx'
import { Actions, Button } from '../parts/buttons.tsx'
import { Irrevocable } from '../parts/irrevocable.tsx'
import { Switch } from '../parts/fields.tsx'
import { ItemList } from '../parts/list.tsx'
import { Page } from '../parts/page.tsx'
import { Card, Empty, Moment } from '../parts/shown.tsx'
import { AddFeed } from './feeds/add-feed.tsx'
import { FeedItems } from './feeds/feed-items.tsx'

export default function Feeds() {
  const [isAdding, setAdding] = useState(false)
  const feeds = useList(['feed', 'list'], (cursor) =>
    answered(api.GET('/rss-feeds', { params: { query: pageAfter(cursor) } })),
  )
  const add = (
    <Button look="main" onPress={() => setAdding(true)}>
      Add a feed
    </Button>
  )
  return (
    <Page title="Feeds" intro="New items of RSS and Atom feeds become posts." actions={add}>
      <Card>
        <ItemList
          query={feeds}
          items={(page) => page.feeds}
          empty={
            <Empty title="No feeds yet" action={add}>
              What is in a feed when you add it is left alone; what comes after is posted.
            </Empty>
          }
        >
          {(feed) => <FeedRow key={feed.id} feed={feed} />}
        </ItemList>
      </Card>
      <AddFeed isOpen={isAdding} onClose={() => setAdding(false)} />
    </Page>
  )
}

function FeedRow({ feed }: { readonly feed: Feed }) {
  const { id, url, selections, active, checkIntervalMinutes, lastCheckedAt, lastError, postedCount } = feed
  const params = { path: { id } }
  const pause = useChange({
    change: (isActive: boolean) => answered(api.PATCH('/rss-feeds/{id}', { params, body: { active: isActive } })),
    touches: ['feed'],
    done: (now) => (now.active ? 'Feed resumed.' : 'Feed paused.'),
  })
  const check = useChange({
    change: () => answered(api.POST('/rss-feeds/{id}/check-now', { params: { ...params, ...named(attemptName()) } })),
    touches: ['feed'],
    done: 'The feed will be checked within a minute.',
  })
  return (
    <li>
      <div className="item-body">
        <strong>{url}</strong>
        <div className="item-line">
          {Object.keys(selections).map((platform) => (
            <PlatformName key={platform} of={platform} />
          ))}
        </div>
        <p className="hint">
          Every {checkIntervalMinutes} minutes; {postedCount} posted
          {lastCheckedAt && (
            <>
              , checked <Moment at={lastCheckedAt} short />
            </>
          )}
        </p>
        {lastError && <p className="said problem">{lastError}</p>}
        <FeedItems feedId={id} />
      </div>
      <Actions>
        <Switch
          isSelected={active}
          isDisabled={pause.isPending}
          onChange={(on) => pause.mutate(on)}
          aria-label={`Check ${url}`}
        >
          {active ? 'On' : 'Paused'}
        </Switch>
        <Button
          small
          isPending={check.isPending}
          onPress={() => check.mutate(undefined)}
          aria-label={`Check now: ${url}`}
        >
          Check now
        </Button>
        <Irrevocable
          small
          action="Delete"
          name={`Delete ${url}`}
          title="Delete this feed?"
          change={() => answered(api.DELETE('/rss-feeds/{id}', { params }))}
          touches={['feed']}
          done="The feed is deleted."
        >
          No more of its items are posted. Published posts stay.
        </Irrevocable>
      </Actions>
    </li>
  )
}
