import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type FormEvent } from 'react'
import { CheckboxGroup, Form, Label } from 'react-aria-components'
import { answered, api, attemptName, named } from '../../../client/client.ts'
import { useChange } from '../../../client/queries.ts'
import type { WebhookEvent } from '../../../client/types.ts'
import { Actions, Button } from '../../../parts/buttons.tsx'
import { Dialog } from '../../../parts/dialogs.tsx'
import { Checkbox, Field } from '../../../parts/fields.tsx'
import { Problem } from '../../../parts/shown.tsx'

const EVENTS: Readonly<Record<WebhookEvent, string>> = {
  'post.published': t`a post is published on at least one account`,
  'post.failed': t`a post failed on all accounts`,
  'comment.received': t`a new comment or mention arrived`,
  'reply.sent': t`a reply was sent`,
  'post.scheduled': t`a post was scheduled`,
  'post.partially_failed': t`a post is published, but not on all accounts`,
  'account.needs_reauth': t`an account must be connected again`,
  'account.expiring': t`the access to an account ends within 7 days`,
  'approval.requested': t`a post awaits approval`,
  'approval.decided': t`a post was approved or rejected, or is to be changed`,
}
const DEFAULT: readonly WebhookEvent[] = ['post.published', 'post.failed', 'comment.received', 'reply.sent']

export function CreateWebhook(props: {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onCreated: (secret: string) => void
}) {
  const { isOpen, onClose, onCreated } = props
  const [events, setEvents] = useState<readonly string[]>(DEFAULT)
  const [attempt, setAttempt] = useState(attemptName)
  const create = useChange({
    change: (url: string) =>
      answered(api.POST('/webhooks', { body: { url, events: events as WebhookEvent[] }, params: named(attempt) })),
    touches: ['webhook'],
    onDone: ({ secret }) => {
      setAttempt(attemptName())
      onCreated(secret)
    },
    showsProblem: true,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    create.mutate(String(new FormData(event.currentTarget).get('url')))
  }
  return (
    <Dialog title={t`Register a webhook`} isOpen={isOpen} onClose={onClose}>
      <Form onSubmit={submit}>
        {create.error && <Problem error={create.error} />}
        <Field label={t`URL`} name="url" type="url" placeholder="https://" isRequired autoFocus />
        <CheckboxGroup className="picker" value={[...events]} onChange={setEvents}>
          <Label>
            <Trans>Events</Trans>
          </Label>
          {Object.entries(EVENTS).map(([event, meaning]) => (
            <Checkbox key={event} value={event}>
              <span className="code">{event}</span> <span className="hint">{meaning}</span>
            </Checkbox>
          ))}
        </CheckboxGroup>
        <Actions>
          <Button look="main" type="submit" isPending={create.isPending} isDisabled={events.length === 0}>
            <Trans>Register</Trans>
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
