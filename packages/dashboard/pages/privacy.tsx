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
    <Page title="Privacy" intro="Erase the names and texts of people who commented, when they ask for it.">
      <Card title="Erase personal data">
        <EraseForm />
      </Card>
      <Card title="Erasures">
        <ItemList
          query={erasures}
          items={(page) => page.erasures}
          empty={<Empty title="Nothing has been erased yet">Erasures appear here, without the data they erased.</Empty>}
        >
          {(erasure) => <ErasureItem key={erasure.id} erasure={erasure} />}
        </ItemList>
      </Card>
      <Card title="Erase the workspace">
        <EraseWorkspace />
      </Card>
    </Page>
  )
}

function ErasureItem({ erasure }: { readonly erasure: Erasure }) {
  const { id, status, accountId, userId, byAuthor, before, createdAt } = erasure
  return (
    <li>
      <div className="item-body">
        <div className="item-line">
          <strong>
            {userId ? 'The name of a user' : byAuthor ? 'Comments by one author' : 'Comments'}
            {accountId && (
              <>
                {' '}
                on <AccountName of={accountId} />
              </>
            )}
          </strong>
          <Status of={status} />
          <span className="hint">
            <Moment at={createdAt} />
          </span>
        </div>
        {!userId && (
          <p className="muted">
            {counts(erasure) ?? 'Nothing'}, received before <Moment at={before} />
          </p>
        )}
        <p className="hint code">{id}</p>
      </div>
    </li>
  )
}
