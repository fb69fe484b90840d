import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { answered, api } from '../../client/client.ts'
import { pageAfter, useList, useSession } from '../../client/queries.ts'
import type { Erasure } from '../../client/types.ts'
import { AccountName } from '../../parts/accounts.tsx'
import { ItemList } from '../../parts/list.tsx'
import { Page } from '../../parts/page.tsx'
import { Card, Empty, Moment, Status } from '../../parts/shown.tsx'
import { counts } from './storage/counts.ts'
import { EraseForm } from './storage/erase-form.tsx'
import { EraseWorkspace } from './storage/erase-workspace.tsx'
import { Used } from './storage/used.tsx'

export default function StorageAndData() {
  const { workspace, permissions } = useSession()
  const COMMAND = `npx fanfare export --workspace ${workspace.id} --out workspace.ndjson`
  return (
    <Page title={t`Storage and data`} intro={t`What is stored of this workspace, and how to export or erase it.`}>
      <Card title={t`Storage`}>
        <Used />
      </Card>
      {permissions.includes('users:write') && (
        <Card title={t`Export`}>
          <div className="stack">
            <p className="muted">
              <Trans>
                On the server, this command exports everything that happened in this workspace to one file, to import it
                elsewhere. The file has no passwords, no keys and no access to accounts.
              </Trans>
            </p>
            <pre>{COMMAND}</pre>
          </div>
        </Card>
      )}
      {permissions.includes('erasures:read') && <Erasures mayErase={permissions.includes('erasures:write')} />}
    </Page>
  )
}

function Erasures({ mayErase }: { readonly mayErase: boolean }) {
  const erasures = useList(['erasure', 'list'], (cursor) =>
    answered(api.GET('/erasures', { params: { query: pageAfter(cursor) } })),
  )
  return (
    <>
      {mayErase && (
        <Card title={t`Erase personal data`}>
          <EraseForm />
        </Card>
      )}
      <Card title={t`Erasures`}>
        <ItemList
          query={erasures}
          items={(page) => page.erasures}
          empty={
            <Empty title={t`Nothing has been erased yet`}>
              <Trans>Erasures appear here, without the data they erased.</Trans>
            </Empty>
          }
        >
          {(erasure) => <ErasureItem key={erasure.id} erasure={erasure} />}
        </ItemList>
      </Card>
      {mayErase && (
        <Card title={t`Erase the workspace`}>
          <EraseWorkspace />
        </Card>
      )}
    </>
  )
}

const KINDS = { user: t`The name of a user`, author: t`Comments by one author`, all: t`Comments` }

function ErasureItem({ erasure }: { readonly erasure: Erasure }) {
  const { id, status, accountId, userId, byAuthor, before, createdAt } = erasure
  const kind = userId ? 'user' : byAuthor ? 'author' : 'all'
  const erased = counts(erasure)
  return (
    <li>
      <div className="item-body">
        <div className="item-line">
          <strong>
            {accountId === undefined ? (
              KINDS[kind]
            ) : kind === 'author' ? (
              <Trans>
                Comments by one author on <AccountName of={accountId} />
              </Trans>
            ) : (
              <Trans>
                Comments on <AccountName of={accountId} />
              </Trans>
            )}
          </strong>
          <Status of={status} />
          <span className="hint">
            <Moment at={createdAt} />
          </span>
        </div>
        {!userId && (
          <p className="muted">
            {erased ? (
              <Trans>
                {erased}, received before <Moment at={before} />
              </Trans>
            ) : (
              <Trans>
                Nothing, received before <Moment at={before} />
              </Trans>
            )}
          </p>
        )}
        <p className="hint code">{id}</p>
      </div>
    </li>
  )
}
