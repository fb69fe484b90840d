import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Link } from 'react-router'
import { answered, api } from '../../client/client.ts'
import { pageAfter, useList } from '../../client/queries.ts'
import { Button } from '../../parts/buttons.tsx'
import { ItemList } from '../../parts/list.tsx'
import { Page } from '../../parts/page.tsx'
import { Secret } from '../../parts/secret.tsx'
import { Card, Empty, Moment } from '../../parts/shown.tsx'
import { CreateWebhook } from './webhooks/create-webhook.tsx'

export default function Webhooks() {
  const [isCreating, setCreating] = useState(false)
  const [secret, setSecret] = useState<string>()
  const webhooks = useList(['webhook', 'list'], (cursor) =>
    answered(api.GET('/webhooks', { params: { query: pageAfter(cursor) } })),
  )
  const create = (
    <Button look="main" onPress={() => setCreating(true)}>
      <Trans>Register a webhook</Trans>
    </Button>
  )
  return (
    <Page title={t`Webhooks`} intro={t`Signed requests to your URLs when something happens.`} actions={create}>
      <Card>
        <ItemList
          query={webhooks}
          items={(page) => page.webhooks}
          empty={
            <Empty title={t`No webhooks yet`} action={create}>
              <Trans>Register a URL to receive a signed request for each event that you choose.</Trans>
            </Empty>
          }
        >
          {({ id, url, events, createdAt }) => (
            <li key={id}>
              <div className="item-body">
                <Link to={`/settings/webhooks/${id}`}>{url}</Link>
                <p className="muted">{events.join(', ')}</p>
                <p className="hint">
                  <Trans>
                    Registered <Moment at={createdAt} />
                  </Trans>
                </p>
              </div>
            </li>
          )}
        </ItemList>
      </Card>
      <CreateWebhook
        isOpen={isCreating}
        onClose={() => setCreating(false)}
        onCreated={(key) => {
          setCreating(false)
          setSecret(key)
        }}
      />
      <Secret
        title={t`The webhook’s secret`}
        secret={secret}
        hint={t`Copy it now: it is not shown again. Your receiver needs it to verify signatures.`}
        onClose={() => setSecret(undefined)}
      />
    </Page>
  )
}
