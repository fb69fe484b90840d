import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
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
      <Trans>Add a feed</Trans>
    </Button>
  )
  return (
    <Page title={t`Feeds`} intro={t`New items of RSS and Atom feeds become posts.`} actions={add}>
      <Card>
        <ItemList
          query={feeds}
          items={(page) => page.feeds}
          empty={
            <Empty title={t`No feeds yet`} action={add}>
              <Trans>What is in a feed when you add it is left alone; what comes after is posted.</Trans>
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
    done: (now) => (now.active ? t`Feed resumed.` : t`Feed paused.`),
  })
  const check = useChange({
    change: () => answered(api.POST('/rss-feeds/{id}/check-now', { params: { ...params, ...named(attemptName()) } })),
    touches: ['feed'],
    done: t`The feed will be checked within a minute.`,
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
          {lastCheckedAt ? (
            <Trans>
              Every {checkIntervalMinutes} minutes; {postedCount} posted, checked <Moment at={lastCheckedAt} short />
            </Trans>
          ) : (
            <Trans>
              Every {checkIntervalMinutes} minutes; {postedCount} posted
            </Trans>
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
          aria-label={t`Check ${url}`}
        >
          {active ? t`On` : t`Paused`}
        </Switch>
        <Button
          small
          isPending={check.isPending}
          onPress={() => check.mutate(undefined)}
          aria-label={t`Check now: ${url}`}
        >
          <Trans>Check now</Trans>
        </Button>
        <Irrevocable
          small
          action={t`Delete`}
          name={t`Delete ${url}`}
          title={t`Delete this feed?`}
          change={() => answered(api.DELETE('/rss-feeds/{id}', { params }))}
          touches={['feed']}
          done={t`The feed is deleted.`}
        >
          <Trans>No more of its items are posted. Published posts stay.</Trans>
        </Irrevocable>
      </Actions>
    </li>
  )
}
