import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useList } from '../../client/queries.ts'
import { sessionApi, type Key } from '../../client/session-api.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Irrevocable } from '../../parts/irrevocable.tsx'
import { ItemList } from '../../parts/list.tsx'
import { Page } from '../../parts/page.tsx'
import { Secret } from '../../parts/secret.tsx'
import { Card, Empty, Moment, Status } from '../../parts/shown.tsx'
import { hasBudgets, usedInWords } from './keys/budget-fields.tsx'
import { Limits } from './keys/limits.tsx'
import { CreateKey } from './keys/create-key.tsx'

export default function Keys() {
  const [isCreating, setCreating] = useState(false)
  const [secret, setSecret] = useState<string>()
  const keys = useList(['key', 'list'], (cursor) => sessionApi.keys(cursor))
  const create = (
    <Button look="main" onPress={() => setCreating(true)}>
      <Trans>Create a key</Trans>
    </Button>
  )
  return (
    <Page title={t`API keys`} intro={t`Keys let scripts and apps use Fanfare.`} actions={create}>
      <Card>
        <ItemList
          query={keys}
          items={(page) => page.keys}
          empty={
            <Empty title={t`No API keys yet`} action={create}>
              <Trans>A key lets a program use the API, as far as its scopes go.</Trans>
            </Empty>
          }
        >
          {(key) => <KeyItem key={key.id} apiKey={key} />}
        </ItemList>
      </Card>
      <CreateKey
        isOpen={isCreating}
        onClose={() => setCreating(false)}
        onCreated={(key) => {
          setCreating(false)
          setSecret(key)
        }}
      />
      <Secret
        title={t`Your new key`}
        secret={secret}
        hint={t`Copy it now: it is not shown again.`}
        onClose={() => setSecret(undefined)}
      />
    </Page>
  )
}

function KeyItem({ apiKey }: { readonly apiKey: Key }) {
  const { id, label, scopes, createdAt, revokedAt, app } = apiKey
  const name = label || id
  const { host, allowedBy } = app ?? {}
  const used = revokedAt ? undefined : usedInWords(apiKey.budgets, apiKey.usedToday)
  return (
    <li>
      <div className="item-body">
        <div className="item-line">
          <strong>{name}</strong> <Status of={revokedAt ? 'revoked' : 'active'} />
        </div>
        {app && (
          <p className="muted">
            <Trans>
              An app at {host}, connected by {allowedBy}
            </Trans>
          </p>
        )}
        <p className="muted">{scopes.join(', ')}</p>
        {used && <p className="muted">{used}</p>}
        <p className="hint">
          {revokedAt ? (
            <Trans>
              Created <Moment at={createdAt} />, revoked <Moment at={revokedAt} />
            </Trans>
          ) : (
            <Trans>
              Created <Moment at={createdAt} />
            </Trans>
          )}
        </p>
      </div>
      {!revokedAt && (
        <Actions>
          {hasBudgets(scopes) && <Limits apiKey={apiKey} name={name} />}
          <Irrevocable
            small
            action={t`Revoke`}
            name={t`Revoke ${name}`}
            title={t`Revoke ${name}?`}
            change={() => sessionApi.revokeKey(id)}
            touches={['key']}
            done={t`${name} is revoked.`}
          >
            <Trans>Apps that use it stop working within seconds. This cannot be undone.</Trans>
          </Irrevocable>
        </Actions>
      )}
    </li>
  )
}
