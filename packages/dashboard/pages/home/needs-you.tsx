import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useAccountAccess, useDueWork, useSession } from '../../client/queries.ts'
import type { AccountAccess, Failing } from '../../client/session-api.ts'
import { usePlatformName } from '../../parts/accounts.tsx'
import { Actions, ButtonLink } from '../../parts/buttons.tsx'
import { PlatformIcon } from '../../parts/platform-icon.tsx'
import { Reconnect } from '../../parts/reconnect.tsx'
import { Card, Loading, Moment, Problem } from '../../parts/shown.tsx'
import { FailedPost, useFailedPosts } from './failed-posts.tsx'
import { useApprovals, useReplies } from './to-review.ts'

const DAY_MS = 86_400_000
/** From when on an end of access is shown, as it is notified of. */
const SOON_MS = 7 * DAY_MS

/** Everything that waits for a person, most urgent first. Each row has the action that settles it. */
export function NeedsYou() {
  const { permissions } = useSession()
  const mayDecide = permissions.includes('approvals:decide')
  const due = useDueWork()
  const access = useAccountAccess()
  const failed = useFailedPosts()
  const replies = useReplies()
  const approvals = useApprovals(mayDecide)
  const all = [due, access, failed, replies, ...(mayDecide ? [approvals] : [])]
  const error = all.find((query) => query.error)?.error
  const accounts = access.data ?? []
  const broken = accounts
    .filter(({ needsReauth }) => needsReauth)
    .toSorted((a, b) => b.scheduledPosts - a.scheduledPosts)
  const isBroken = (id: string) => broken.some((account) => account.id === id)
  const rows = [
    ...failed.posts.map((post) => <FailedPost key={post.id} post={post} onDismiss={() => failed.dismiss(post.id)} />),
    ...(due.data && due.data.overdue > 0 ? [<Overdue key="overdue" count={due.data.overdue} />] : []),
    ...broken.map((account) => <AccountRow key={account.id} account={account} />),
    ...(due.data?.failing ?? [])
      .filter(({ id }) => !isBroken(id))
      .map((failing) => <FailingRow key={`${failing.kind} ${failing.id}`} of={failing} />),
    ...accounts
      .filter(({ id, endsAt }) => !isBroken(id) && endsAt !== undefined && isSoon(endsAt))
      .map((account) => <AccountRow key={account.id} account={account} />),
    ...(replies.data
      ? [<ToReview key="replies" count={replies.data} of="replies" to="/inbox?state=draft_ready" />]
      : []),
    ...(approvals.data ? [<ToReview key="approvals" count={approvals.data} of="posts" to="/approvals" />] : []),
  ]
  const isLoading = all.some((query) => query.isPending)
  return (
    <Card title={t`Needs you`}>
      {error && <Problem error={error} onRetry={() => all.forEach((query) => void query.refetch())} />}
      {isLoading && <Loading lines={2} />}
      {!isLoading && !error && rows.length === 0 && (
        <p className="muted">
          <Trans>All is well. Nothing needs you right now.</Trans>
        </p>
      )}
      {rows.length > 0 && <ul className="items needs">{rows}</ul>}
    </Card>
  )
}

/** The count may be of a kind that is not counted further: `100+`. */
const TO_REVIEW = {
  replies: {
    title: (count: string) => (count === '1' ? t`1 reply to review` : t`${count} replies to review`),
    action: t`Review replies`,
    then: t`Sent once you approve.`,
  },
  posts: {
    title: (count: string) => (count === '1' ? t`1 post to approve` : t`${count} posts to approve`),
    action: t`Review posts`,
    then: t`Published only once approved.`,
  },
} as const

function ToReview(props: { readonly count: string; readonly of: keyof typeof TO_REVIEW; readonly to: string }) {
  const { count, of, to } = props
  const { title, action, then } = TO_REVIEW[of]
  return (
    <Row to={to} action={t`Review`} actionName={action} title={title(count)}>
      {then}
    </Row>
  )
}

function isSoon(at: string): boolean {
  return Date.parse(at) - Date.now() < SOON_MS
}

function Row(props: {
  readonly to: string
  readonly title: ReactNode
  /** Of the link at the end. Absent where there is a button in its place, or somebody else must act. */
  readonly action?: string
  readonly button?: ReactNode
  /** For screen readers, where several rows have the same action. */
  readonly actionName?: string
  readonly icon?: ReactNode
  readonly children: ReactNode
}) {
  const { to, title, action, actionName, button, icon, children } = props
  return (
    <li>
      {icon}
      <div className="item-body">
        <Link to={to}>{title}</Link>
        <p className="hint clamp">{children}</p>
      </div>
      {button && <Actions>{button}</Actions>}
      {action && (
        <Actions>
          <ButtonLink small to={to} aria-label={actionName}>
            {action}
          </ButtonLink>
        </Actions>
      )}
    </li>
  )
}

function Overdue({ count }: { readonly count: number }) {
  return (
    <Row
      to="/calendar"
      action={t`Open calendar`}
      title={plural(count, { one: '# task is overdue', other: '# tasks are overdue' })}
    >
      <Trans>Posts, replies or checks that should have started more than a minute ago.</Trans>
    </Row>
  )
}

function AccountRow({ account }: { readonly account: AccountAccess }) {
  const { id, platform, label, needsReauth, endsAt = '', scheduledPosts } = account
  const mayConnect = useSession().permissions.includes('accounts:write')
  const name = t`${label} on ${usePlatformName()(platform)}`
  return (
    <Row
      to={`/accounts#${id}`}
      icon={<PlatformIcon of={platform} />}
      button={mayConnect && <Reconnect account={account} />}
      title={needsReauth ? t`${name} must be reconnected` : t`The sign-in of ${name} ends soon`}
    >
      {!needsReauth && (
        <>
          <Trans>
            It ends <Moment at={endsAt} short />.
          </Trans>{' '}
        </>
      )}
      {waiting(scheduledPosts)}
      {!mayConnect && ` ${t`An owner or manager can reconnect it.`}`}
    </Row>
  )
}

function waiting(posts: number): string {
  if (posts === 0) return t`No scheduled posts wait on it.`
  return plural(posts, { one: '# scheduled post waits on it.', other: '# scheduled posts wait on it.' })
}

/** What fails, and where to fix it. */
const FIXED_AT: Readonly<
  Record<Failing['kind'], { readonly to: string; readonly action: string; title(label: string): string }>
> = {
  account: { to: '/accounts', action: t`Open accounts`, title: (label) => t`${label} does not work in full` },
  feed: { to: '/feeds', action: t`Open feeds`, title: (label) => t`Cannot read the feed ${label}` },
  recycling_rule: { to: '/recycling', action: t`Open recycling`, title: (label) => t`Cannot recycle ${label}` },
  webhook: { to: '/settings/webhooks', action: t`Open webhooks`, title: (label) => t`Cannot deliver to ${label}` },
}

function FailingRow({ of: { kind, id, label, platform, error } }: { readonly of: Failing }) {
  const { to, action, title } = FIXED_AT[kind]
  const page = kind === 'webhook' ? `${to}/${id}` : to
  return (
    <Row
      to={page}
      icon={platform && <PlatformIcon of={platform} />}
      action={action}
      actionName={`${action}: ${label}`}
      title={title(label)}
    >
      {error}
    </Row>
  )
}
