import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type FormEvent } from 'react'
import { Form, Label, Radio, RadioGroup } from 'react-aria-components'
import { answered, api, attemptName, named } from '../../client/client.ts'
import { pageAfter, useChange, useList } from '../../client/queries.ts'
import type { Post } from '../../client/types.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Dialog } from '../../parts/dialogs.tsx'
import { Field, Switch } from '../../parts/fields.tsx'
import { List } from '../../parts/list.tsx'
import { Moment, Problem, resultStatus } from '../../parts/shown.tsx'

export function AddRule({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Dialog title={t`Recycle a post`} isOpen={isOpen} onClose={onClose}>
      <RuleForm onDone={onClose} />
    </Dialog>
  )
}

function RuleForm({ onDone }: { readonly onDone: () => void }) {
  const [sourcePostId, setSource] = useState<string | null>(null)
  const [rewriteCaption, setRewrite] = useState(false)
  const [attempt, setAttempt] = useState(attemptName)
  const posts = useList(['post', 'list'], (cursor) =>
    answered(api.GET('/posts', { params: { query: pageAfter(cursor) } })),
  )
  const add = useChange({
    change: (intervalDays: number) =>
      answered(
        api.POST('/recycling-rules', {
          body: { sourcePostId: sourcePostId ?? '', intervalDays, rewriteCaption },
          params: named(attempt),
        }),
      ),
    touches: ['rule'],
    done: t`Rule added.`,
    onDone: () => {
      setAttempt(attemptName())
      onDone()
    },
    showsProblem: true,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    add.mutate(Number(new FormData(event.currentTarget).get('days')))
  }
  return (
    <Form onSubmit={submit}>
      {add.error && <Problem error={add.error} />}
      <RadioGroup className="picker" value={sourcePostId} onChange={setSource} isRequired>
        <Label>
          <Trans>Post</Trans>
        </Label>
        <List
          query={posts}
          items={(page) => page.posts.filter(isLive)}
          empty={
            <p className="muted">
              <Trans>No published posts yet.</Trans>
            </p>
          }
        >
          {(items) => (
            <div className="choices">
              {items.map(({ id, caption, createdAt }) => (
                <Radio key={id} value={id} className="radio">
                  <span className="clamp">{caption || t`No caption`}</span>
                  <span className="hint">
                    <Moment at={createdAt} />
                  </span>
                </Radio>
              ))}
            </div>
          )}
        </List>
      </RadioGroup>
      <Field label={t`Repeat every (days)`} name="days" type="number" min={1} defaultValue="30" isRequired />
      <Switch isSelected={rewriteCaption} onChange={setRewrite}>
        <Trans>Let AI rewrite the caption each time</Trans>
      </Switch>
      <Actions>
        <Button look="main" type="submit" isPending={add.isPending} isDisabled={sourcePostId === null}>
          <Trans>Add rule</Trans>
        </Button>
      </Actions>
    </Form>
  )
}

/** Whether it is still published on an account. */
function isLive({ status, publishResults }: Post): boolean {
  const results = Object.values(publishResults).flat()
  return status === 'published' && results.some((result) => resultStatus(result) === 'published')
}
