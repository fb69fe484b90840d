import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { answered, api } from '../client/client.ts'
import { pageAfter, useList } from '../client/queries.ts'
import type { Erasure } from '../client/types.ts'
import { AccountName } from '../parts/accounts.tsx'
import { ItemList } from '../parts/list.tsx'
import { Page } from '../parts/page.tsx'
import { Card, Empty, Moment, Status } from '../parts/shown.tsx'
import { counts } from './privacy/counts.ts'
import { EraseForm } from './privacy/erase-form.tsx'
import { EraseWorkspace } from './privacy/erase-workspace.tsx'

export default function Privacy() {
  const erasures = useList(['erasure', 'list'], (cursor) =>
    answered(api.GET('/erasures', { params: { query: pageAfter(cursor) } })),
  )
  return (
    <Page title={t`Privacy`} intro={t`Erase the names and texts of people who commented, when they ask for it.`}>
      <Card title={t`Erase personal data`}>
        <EraseForm />
      </Card>
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
      <Card title={t`Erase the workspace`}>
        <EraseWorkspace />
      </Card>
    </Page>
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
