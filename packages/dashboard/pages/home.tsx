import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { answered, api } from '../client/client.ts'
import { useAccounts, useSession } from '../client/queries.ts'
import type { Failing, DueWork } from '../client/session-api.ts'
import { usePlatformName } from '../parts/accounts.tsx'
import { ButtonLink } from '../parts/buttons.tsx'
import { Page } from '../parts/page.tsx'
import { Card, Empty, Loading, Moment, Problem, Status, Thumb } from '../parts/shown.tsx'
import { Held, useDueWork } from './home/held.tsx'
import { MissingMedia } from './post/scheduled.tsx'

/** Counts up to this number; beyond it, "and more". */
const COUNTED = 100
const SHOWN = 6

export default function Home() {
  const mayWrite = useSession().permissions.includes('posts:write')
  return (
    <Page
      title="Home"
      actions={
        mayWrite && (
          <ButtonLink to="/compose" look="main">
            Compose
          </ButtonLink>
        )
      }
    >
      <Held />
      <Tiles />
      <div className="columns">
        <div className="stack">
          <Failed />
          <Work />
        </div>
        <Next />
      </div>
    </Page>
  )
}

function Tiles() {
  const due = useDueWork()
  const { data: accounts = {} } = useAccounts()
  const drafts = useQuery({
    queryKey: ['reply', 'count'],
    queryFn: () => answered(api.GET('/replies/pending', { params: { query: { limit: COUNTED } } })),
  })
  const approvals = useQuery({
    queryKey: ['scheduled-post', 'approvals', 'count'],
    queryFn: () => answered(api.GET('/approvals', { params: { query: { limit: COUNTED } } })),
  })
  const broken = Object.values(accounts)
    .flat()
    .filter(({ status }) => status === 'needs_reauth').length
  return (
    <ul className="tiles">
      <Tile to="/calendar" name="overdue" value={due.data?.overdue} isBad={(due.data?.overdue ?? 0) > 0}>
        overdue
      </Tile>
      <Tile to="/inbox" name="replies" value={drafts.data && countOf(drafts.data.replies, drafts.data.nextCursor)}>
        replies to review
      </Tile>
      {approvals.data && approvals.data.approvals.length > 0 && (
        <Tile to="/approvals" name="approvals" value={countOf(approvals.data.approvals, approvals.data.nextCursor)}>
          posts to approve
        </Tile>
      )}
      <Tile to="/accounts" name="accounts" value={broken} isBad={broken > 0}>
        accounts to reconnect
      </Tile>
    </ul>
  )
}

function countOf(first: readonly unknown[], nextCursor: string | null): number | string {
  return nextCursor === null ? first.length : `${COUNTED}+`
}

function Tile(props: {
  readonly to: string
  readonly name: string
  readonly value: number | string | undefined
  readonly isBad?: boolean
  readonly children: ReactNode
}) {
  const { to, name, value, isBad, children } = props
  return (
    <li>
      <Link to={to} className={isBad ? 'tile bad' : 'tile'} data-tile={name}>
        <strong>{value ?? '–'}</strong> <span>{children}</span>
      </Link>
    </li>
  )
}

function Failed() {
  const posts = useQuery({
    queryKey: ['post', 'recent'],
    queryFn: () => answered(api.GET('/posts', { params: { query: { limit: COUNTED } } })),
  })
  const failed = posts.data?.posts
    .map((post) => ({
      post,
      failures: Object.values(post.publishResults)
        .flat()
        .filter(({ ok }) => !ok),
    }))
    .filter(({ failures }) => failures.length > 0)
  return (
    <Card title="Failed posts" action={<Link to="/posts">All posts</Link>}>
      {posts.isPending && <Loading />}
      {posts.error && <Problem error={posts.error} onRetry={() => void posts.refetch()} />}
      {posts.data?.posts.length === 0 && (
        <Empty title="Welcome" action={<ButtonLink to="/compose">Create your first post</ButtonLink>}>
          Connect an account and create your first post. Whatever needs your attention appears here.
        </Empty>
      )}
      {failed?.length === 0 && posts.data?.posts.length !== 0 && (
        <p className="muted">None of your last {COUNTED} posts failed.</p>
      )}
      <ul className="items">
        {failed?.slice(0, SHOWN).map(({ post, failures }) => (
          <li key={post.id}>
            <Thumb url={post.mediaUrl} type={post.mediaType} />
            <div className="item-body">
              <Link to={`/posts/${post.id}`} className="clamp">
                {post.caption || 'No caption'}
              </Link>
              <div className="item-line">
                <Status of={post.status === 'publish_failed' ? 'publish_failed' : 'failed'} />
                <span className="hint">
                  on {failures.length} {failures.length === 1 ? 'account' : 'accounts'},{' '}
                  <Moment at={post.createdAt} short />
                </span>
              </div>
              <p className="hint clamp">{failures.map((it) => (it.ok ? '' : it.error)).join(' ')}</p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Next() {
  const posts = useQuery({
    queryKey: ['scheduled-post', 'next'],
    queryFn: () => answered(api.GET('/scheduled-posts', { params: { query: { limit: SHOWN } } })),
  })
  return (
    <Card title="Upcoming" action={<Link to="/calendar">Calendar</Link>}>
      {posts.isPending && <Loading />}
      {posts.error && <Problem error={posts.error} onRetry={() => void posts.refetch()} />}
      {posts.data?.scheduledPosts.length === 0 && <p className="muted">Nothing is scheduled.</p>}
      <ul className="items">
        {posts.data?.scheduledPosts.map((post) => (
          <li key={post.id}>
            <Thumb url={post.mediaUrl} type={post.mediaType} />
            <div className="item-body">
              <Link to={`/posts/${post.id}`} className="clamp">
                {post.caption || 'No caption'}
              </Link>
              <MissingMedia of={post} />
              <div className="item-line">
                <Moment at={post.scheduledAtUtc} />
                <span className="hint">
                  <Moment at={post.scheduledAtUtc} short />
                </span>
              </div>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Names for the kinds of pending work. */
const WORK: Readonly<Record<string, string>> = {
  publish: 'Publish',
  recycle: 'Recycle a post',
  draft: 'Draft a reply',
  send: 'Send a reply',
  video: 'Make a video',
  deliver: 'Deliver to a webhook',
  redeliver: 'Deliver to a webhook again',
}
/** Where to fix what fails. */
const SEEN_AT: Readonly<Record<Failing['kind'], string>> = {
  account: '/accounts',
  feed: '/feeds',
  recycling_rule: '/recycling',
  webhook: '/webhooks',
}

function Work() {
  const due = useDueWork()
  // Scheduled posts are shown beside it, with their content.
  const next = due.data?.next.filter(({ kind }) => WORK[kind] !== undefined).slice(0, SHOWN) ?? []
  return (
    <Card title="In progress">
      {due.isPending && <Loading />}
      {due.error && <Problem error={due.error} onRetry={() => void due.refetch()} />}
      {due.data && next.length === 0 && <p className="muted">Nothing is in progress.</p>}
      {due.data && due.data.failing.length > 0 && (
        <>
          <h3>Needs attention</h3>
          <ul className="items">
            {due.data.failing.map(({ kind, id, label, error }) => (
              <li key={`${kind} ${id}`}>
                <div className="item-body">
                  <Link to={SEEN_AT[kind]}>{label}</Link>
                  <p className="hint">{error}</p>
                </div>
              </li>
            ))}
          </ul>
          <h3>Next</h3>
        </>
      )}
      <WorkList of={next} />
    </Card>
  )
}

function WorkList({ of }: { readonly of: readonly DueWork[] }) {
  const nameOf = usePlatformName()
  return (
    <ul className="work">
      {of.map(({ kind, id, dueAt, platform }) => (
        <li key={`${kind} ${id} ${platform ?? ''}`}>
          <span>
            {WORK[kind] ?? kind}
            {platform && ` on ${nameOf(platform)}`}
          </span>
          <span className="hint">
            <Moment at={dueAt} short />
          </span>
        </li>
      ))}
    </ul>
  )
}
