import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'
import { answered, api } from '../client/client.ts'
import { pageAfter, useList } from '../client/queries.ts'
import type { Approval } from '../client/types.ts'
import { useAccountName, usePlatformName } from '../parts/accounts.tsx'
import { Choice } from '../parts/fields.tsx'
import { ItemList } from '../parts/list.tsx'
import { Page } from '../parts/page.tsx'
import { Card, Empty, Moment, Status, Thumb } from '../parts/shown.tsx'
import { useUrlState } from '../parts/url-state.ts'
import { Changes } from './approvals/changes.tsx'
import { Decide } from './approvals/decide.tsx'

const SHOWN = [
  { value: 'open', label: t({ message: 'Open', context: 'state' }) },
  { value: 'approved', label: t`Approved` },
  { value: 'rejected', label: t`Rejected` },
] as const
type Shown = (typeof SHOWN)[number]['value']

export default function Approvals() {
  const [status, setStatus] = useUrlState<Shown>('status', 'open')
  const approvals = useList(['scheduled-post', 'approvals', status], (cursor) =>
    answered(
      api.GET('/approvals', { params: { query: { ...pageAfter(cursor), ...(status !== 'open' && { status }) } } }),
    ),
  )
  return (
    <Page title={t`Approvals`} intro={t`Posts that somebody has to approve before they are published.`}>
      <div className="filters">
        <Choice label={t`Show`} value={status} options={SHOWN} onChange={(value) => setStatus(value as Shown)} />
      </div>
      <Card>
        <ItemList
          query={approvals}
          items={(page) => page.approvals}
          empty={
            <Empty title={status === 'open' ? t`Nothing to approve` : t`No posts`}>
              <Trans>
                Whose posts need approval is set under <Link to="/settings/posting-rules">Posting rules</Link>.
              </Trans>
            </Empty>
          }
        >
          {(approval) => <Item key={approval.id} of={approval} />}
        </ItemList>
      </Card>
    </Page>
  )
}

function Item({ of }: { readonly of: Approval }) {
  const nameOf = usePlatformName()
  const accountName = useAccountName()
  const { id, status, publishes, requestedBy, post, changes, remarks } = of
  const where = Object.entries(post.selections).flatMap(([platform, ids]) =>
    ids.map((accountId) => `${nameOf(platform)}: ${accountName(accountId)}`),
  )
  const last = remarks.findLast(({ text }) => text !== undefined)
  return (
    <li>
      <Thumb url={post.mediaUrl} type={post.mediaType} />
      <div className="item-body">
        <Link to={`/posts/${id}`} className="clamp">
          {post.caption || t`No caption`}
        </Link>
        <div className="item-line">
          <Status of={status} />
          <span className="hint">
            {requestedBy.label ?? t`Somebody`}, {where.join(', ')}
          </span>
        </div>
        <p className="hint">
          {publishes === 'on_approval' && status !== 'approved' ? (
            t`Published as soon as it is approved`
          ) : (
            <Moment at={post.scheduledAtUtc} />
          )}
        </p>
        {last?.text !== undefined && (
          <p className="hint clamp">
            <strong>{last.by.label ?? t`Somebody`}</strong> {last.text}
          </p>
        )}
        <Changes of={changes} />
        <Decide of={of} />
      </div>
    </li>
  )
}
