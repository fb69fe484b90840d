import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { answered, api } from '../client/client.ts'
import { useChange } from '../client/queries.ts'
import { Actions, Button, ButtonLink } from '../parts/buttons.tsx'
import { Irrevocable } from '../parts/irrevocable.tsx'
import { Page } from '../parts/page.tsx'
import { Secret } from '../parts/secret.tsx'
import { Card, Loading, Moment, Problem } from '../parts/shown.tsx'
import { Deliveries } from './webhooks/deliveries.tsx'

export default function WebhookPage() {
  const { id = '' } = useParams()
  const path = { id }
  const navigate = useNavigate()
  const [secret, setSecret] = useState<string>()
  const webhook = useQuery({
    queryKey: ['webhook', id],
    queryFn: () => answered(api.GET('/webhooks/{id}', { params: { path } })),
  })
  const test = useChange({
    change: () => answered(api.POST('/webhooks/{id}/test', { params: { path } })),
    touches: ['delivery'],
    done: 'A test is on its way.',
  })
  const rotate = useChange({
    change: () => answered(api.POST('/webhooks/{id}/rotate-secret', { params: { path } })),
    touches: ['webhook'],
    onDone: (answer) => setSecret(answer.secret),
  })
  return (
    <Page title="Webhook" actions={<ButtonLink to="/webhooks">All webhooks</ButtonLink>}>
      {webhook.isPending && <Loading />}
      {webhook.error && <Problem error={webhook.error} onRetry={() => void webhook.refetch()} />}
      {webhook.data && (
        <Card title={webhook.data.url}>
          <div className="stack">
            <p className="muted">{webhook.data.events.join(', ')}</p>
            {webhook.data.previousSecretUntil && (
              <p className="hint">
                The secret before this one still signs, until <Moment at={webhook.data.previousSecretUntil} />
              </p>
            )}
            <Actions>
              <Button isPending={test.isPending} onPress={() => test.mutate(undefined)}>
                Send a test
              </Button>
              <Button isPending={rotate.isPending} onPress={() => rotate.mutate(undefined)}>
                New secret
              </Button>
              <Irrevocable
                action="Delete"
                title="Delete this webhook?"
                change={() => answered(api.DELETE('/webhooks/{id}', { params: { path } }))}
                touches={['webhook']}
                done="The webhook is deleted."
                onDone={() => void navigate('/webhooks')}
              >
                Pending deliveries are canceled.
              </Irrevocable>
            </Actions>
          </div>
        </Card>
      )}
      <Deliveries webhookId={id} />
      <Secret
        title="The new secret"
        secret={secret}
        hint="Copy it now: it is not shown again. For a while, deliveries are also signed with the old one."
        onClose={() => setSecret(undefined)}
      />
    </Page>
  )
}
