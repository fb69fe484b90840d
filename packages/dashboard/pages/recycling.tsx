import { useState } from 'react'
import { Link } from 'react-router'
import { answered, api, attemptName, named } from '../client/client.ts'
import { pageAfter, useChange, useList } from '../client/queries.ts'
import type { Rule } from '../client/types.ts'
import { PlatformName } from '../parts/accounts.tsx'
import { Actions, Button } from '../parts/buttons.tsx'
import { Irrevocable } from '../parts/irrevocable.tsx'
import { Switch } from '../parts/fields.tsx'
import { ItemList } from '../parts/list.tsx'
import { Page } from '../parts/page.tsx'
import { Card, Empty, Moment } from '../parts/shown.tsx'
import { AddRule } from './recycling/add-rule.tsx'

export default function Recycling() {
  const [isAdding, setAdding] = useState(false)
  const rules = useList(['rule', 'list'], (cursor) =>
    answered(api.GET('/recycling-rules', { params: { query: pageAfter(cursor) } })),
  )
  const add = (
    <Button look="main" onPress={() => setAdding(true)}>
      Recycle a post
    </Button>
  )
  return (
    <Page title="Recycling" intro="Publish your best posts again, on a schedule." actions={add}>
      <Card>
        <ItemList
          query={rules}
          items={(page) => page.rules}
          empty={
            <Empty title="No rules yet" action={add}>
              Choose a post that performed well and how often to repeat it.
            </Empty>
          }
        >
          {(rule) => <RuleRow key={rule.id} rule={rule} />}
        </ItemList>
      </Card>
      <AddRule isOpen={isAdding} onClose={() => setAdding(false)} />
    </Page>
  )
}

function RuleRow({ rule }: { readonly rule: Rule }) {
  const {
    id,
    sourcePostId,
    selections,
    intervalDays,
    rewriteCaption,
    active,
    nextRecycleAt,
    recycleCount,
    lastError,
    lastPostId,
  } = rule
  const params = { path: { id } }
  const pause = useChange({
    change: (isActive: boolean) => answered(api.PATCH('/recycling-rules/{id}', { params, body: { active: isActive } })),
    touches: ['rule'],
    done: (now) => (now.active ? 'Rule resumed.' : 'Rule paused.'),
  })
  const run = useChange({
    change: () =>
      answered(api.POST('/recycling-rules/{id}/run-now', { params: { ...params, ...named(attemptName()) } })),
    touches: ['rule', 'post'],
    done: 'Publishing the post again.',
  })
  return (
    <li>
      <div className="item-body">
        <strong>
          Every {intervalDays} {intervalDays === 1 ? 'day' : 'days'}
          {rewriteCaption && ', with a new caption each time'}
        </strong>
        <div className="item-line">
          {Object.keys(selections).map((platform) => (
            <PlatformName key={platform} of={platform} />
          ))}
          <Link to={`/posts/${sourcePostId}`}>The post</Link>
          {lastPostId && <Link to={`/posts/${lastPostId}`}>Latest post</Link>}
        </div>
        <p className="hint">
          {recycleCount} times so far; next <Moment at={nextRecycleAt} />
        </p>
        {lastError && <p className="said problem">{lastError}</p>}
      </div>
      <Actions>
        <Switch
          isSelected={active}
          isDisabled={pause.isPending}
          onChange={(on) => pause.mutate(on)}
          aria-label="Rule is on"
        >
          {active ? 'On' : 'Paused'}
        </Switch>
        <Button small isPending={run.isPending} onPress={() => run.mutate(undefined)}>
          Run now
        </Button>
        <Irrevocable
          small
          action="Delete"
          title="Delete this rule?"
          change={() => answered(api.DELETE('/recycling-rules/{id}', { params }))}
          touches={['rule']}
          done="The rule is deleted."
        >
          The post is no longer repeated. Published posts stay.
        </Irrevocable>
      </Actions>
    </li>
  )
}
