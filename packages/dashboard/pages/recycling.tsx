import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
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
      <Trans>Recycle a post</Trans>
    </Button>
  )
  return (
    <Page title={t`Recycling`} intro={t`Publish your best posts again, on a schedule.`} actions={add}>
      <Card>
        <ItemList
          query={rules}
          items={(page) => page.rules}
          empty={
            <Empty title={t`No rules yet`} action={add}>
              <Trans>Choose a post that performed well and how often to repeat it.</Trans>
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
    done: (now) => (now.active ? t`Rule resumed.` : t`Rule paused.`),
  })
  const run = useChange({
    change: () =>
      answered(api.POST('/recycling-rules/{id}/run-now', { params: { ...params, ...named(attemptName()) } })),
    touches: ['rule', 'post'],
    done: t`Publishing the post again.`,
  })
  return (
    <li>
      <div className="item-body">
        <strong>
          {rewriteCaption
            ? plural(intervalDays, {
                one: 'Every # day, with a new caption each time',
                other: 'Every # days, with a new caption each time',
              })
            : plural(intervalDays, { one: 'Every # day', other: 'Every # days' })}
        </strong>
        <div className="item-line">
          {Object.keys(selections).map((platform) => (
            <PlatformName key={platform} of={platform} />
          ))}
          <Link to={`/posts/${sourcePostId}`}>
            <Trans>The post</Trans>
          </Link>
          {lastPostId && (
            <Link to={`/posts/${lastPostId}`}>
              <Trans>Latest post</Trans>
            </Link>
          )}
        </div>
        <p className="hint">
          <Trans>
            <Plural value={recycleCount} one="# time so far" other="# times so far" />; next{' '}
            <Moment at={nextRecycleAt} />
          </Trans>
        </p>
        {lastError && <p className="said problem">{lastError}</p>}
      </div>
      <Actions>
        <Switch
          isSelected={active}
          isDisabled={pause.isPending}
          onChange={(on) => pause.mutate(on)}
          aria-label={t`Rule is on`}
        >
          {active ? t`On` : t`Paused`}
        </Switch>
        <Button small isPending={run.isPending} onPress={() => run.mutate(undefined)}>
          <Trans>Run now</Trans>
        </Button>
        <Irrevocable
          small
          action={t`Delete`}
          title={t`Delete this rule?`}
          change={() => answered(api.DELETE('/recycling-rules/{id}', { params }))}
          touches={['rule']}
          done={t`The rule is deleted.`}
        >
          <Trans>The post is no longer repeated. Published posts stay.</Trans>
        </Irrevocable>
      </Actions>
    </li>
  )
}
