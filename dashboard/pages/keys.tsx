import { useState } from 'react'
import { useChange, useList } from '../client/queries.ts'
import { sessionApi, type Key } from '../client/session-api.ts'
import { Button } from '../parts/buttons.tsx'
import { Confirm } from '../parts/dialogs.tsx'
import { List } from '../parts/list.tsx'
import { Page } from '../parts/page.tsx'
import { Secret } from '../parts/secret.tsx'
import { Card, Empty, Moment, Status } from '../parts/shown.tsx'
import { CreateKey } from './keys/create-key.tsx'

export default function Keys() {
  const [isCreating, setCreating] = useState(false)
  const [secret, setSecret] = useState<string>()
  const keys = useList(['key', 'list'], (cursor) => sessionApi.keys(cursor))
  const create = (
    <Button look="main" onPress={() => setCreating(true)}>
      Create a key
    </Button>
  )
  return (
    <Page title="API keys" intro="What programs use in place of your password." actions={create}>
      <Card>
        <List
          query={keys}
          items={(page) => page.keys}
          empty={
            <Empty title="There is no key" action={create}>
              A key lets a program use the API, as far as its scopes go.
            </Empty>
          }
        >
          {(items) => (
            <ul className="items">
              {items.map((key) => (
                <KeyItem key={key.id} apiKey={key} />
              ))}
            </ul>
          )}
        </List>
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
        title="Your new key"
        secret={secret}
        hint="It is shown this once; only its hash is kept. Put it where your program finds it."
        onClose={() => setSecret(undefined)}
      />
    </Page>
  )
}

function KeyItem({ apiKey }: { readonly apiKey: Key }) {
  const { id, label, scopes, createdAt, revokedAt } = apiKey
  const [isAsking, setAsking] = useState(false)
  const name = label || id
  const revoke = useChange({
    change: () => sessionApi.revokeKey(id),
    touches: ['key'],
    done: `${name} is revoked.`,
    onDone: () => setAsking(false),
  })
  return (
    <li>
      <div className="item-body">
        <div className="item-line">
          <strong>{name}</strong> <Status of={revokedAt ? 'revoked' : 'active'} />
        </div>
        <p className="muted">{scopes.join(', ')}</p>
        <p className="hint">
          Created <Moment at={createdAt} />
          {revokedAt && (
            <>
              , revoked <Moment at={revokedAt} />
            </>
          )}
        </p>
      </div>
      {!revokedAt && (
        <Button small look="danger" aria-label={`Revoke ${name}`} onPress={() => setAsking(true)}>
          Revoke
        </Button>
      )}
      <Confirm
        title={`Revoke ${name}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        action="Revoke"
        isPending={revoke.isPending}
        onConfirm={() => revoke.mutate(undefined)}
      >
        <p>Programs that use it are refused within seconds. It can not be brought back.</p>
      </Confirm>
    </li>
  )
}
