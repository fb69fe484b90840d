import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { answered, api } from '../../../client/client.ts'
import { useChange } from '../../../client/queries.ts'
import { Actions, Button, ButtonLink } from '../../../parts/buttons.tsx'
import { Irrevocable } from '../../../parts/irrevocable.tsx'
import { Page } from '../../../parts/page.tsx'
import { Secret } from '../../../parts/secret.tsx'
import { Card, Loading, Moment, Problem } from '../../../parts/shown.tsx'
import { Deliveries } from './deliveries.tsx'

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
    done: t`A test is on its way.`,
  })
  const rotate = useChange({
    change: () => answered(api.POST('/webhooks/{id}/rotate-secret', { params: { path } })),
    touches: ['webhook'],
    onDone: (answer) => setSecret(answer.secret),
  })
  return (
    <Page
      title={t`Webhook`}
      actions={
        <ButtonLink to="/settings/webhooks">
          <Trans>All webhooks</Trans>
        </ButtonLink>
      }
    >
      {webhook.isPending && <Loading />}
      {webhook.error && <Problem error={webhook.error} onRetry={() => void webhook.refetch()} />}
      {webhook.data && (
        <Card title={webhook.data.url}>
          <div className="stack">
            <p className="muted">{webhook.data.events.join(', ')}</p>
            {webhook.data.previousSecretUntil && (
              <p className="hint">
                <Trans>
                  The secret before this one still signs, until <Moment at={webhook.data.previousSecretUntil} />
                </Trans>
              </p>
            )}
            <Actions>
              <Button isPending={test.isPending} onPress={() => test.mutate(undefined)}>
                <Trans>Send a test</Trans>
              </Button>
              <Button isPending={rotate.isPending} onPress={() => rotate.mutate(undefined)}>
                <Trans>New secret</Trans>
              </Button>
              <Irrevocable
                action={t`Delete`}
                title={t`Delete this webhook?`}
                change={() => answered(api.DELETE('/webhooks/{id}', { params: { path } }))}
                touches={['webhook']}
                done={t`The webhook is deleted.`}
                onDone={() => void navigate('/settings/webhooks')}
              >
                <Trans>Pending deliveries are canceled.</Trans>
              </Irrevocable>
            </Actions>
          </div>
        </Card>
      )}
      <Deliveries webhookId={id} />
      <Secret
        title={t`The new secret`}
        secret={secret}
        hint={t`Copy it now: it is not shown again. For a while, deliveries are also signed with the old one.`}
        onClose={() => setSecret(undefined)}
      />
    </Page>
  )
}
