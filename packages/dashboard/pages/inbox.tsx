import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { answered, api } from '../client/client.ts'
import { pageAfter, useChange, useList, usePlatforms, useSession } from '../client/queries.ts'
import type { Comment, CommentsQuery, ReplyBody } from '../client/types.ts'
import { AccountFilter } from '../parts/account-filter.tsx'
import { Button } from '../parts/buttons.tsx'
import { Choice, Segments } from '../parts/fields.tsx'
import { List } from '../parts/list.tsx'
import { Page } from '../parts/page.tsx'
import { Empty } from '../parts/shown.tsx'
import { useUrlFilters } from '../parts/url-state.ts'
import styles from '../styles/inbox.page.css'
import { AssigneeFilter } from './inbox/assign.tsx'
import { useSettle, type InboxState } from './inbox/settle.ts'
import { Threads } from './inbox/threads.tsx'

const STATES = [
  { value: 'to_reply', label: t`To reply` },
  { value: 'draft_ready', label: t`Draft ready` },
  { value: 'done', label: t({ message: 'Done', context: 'comments' }) },
] as const
const IN_URL = ['state', 'kind', 'platform', 'account', 'assignee'] as const
const AT_ONCE = 100

export default function Inbox() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (pathname !== '/inbox') void navigate('/inbox', { replace: true })
  }, [pathname, navigate])
  const [{ state: given, kind, assignee, ...filters }, set] = useUrlFilters(IN_URL)
  const state: InboxState = STATES.find(({ value }) => value === given)?.value ?? 'to_reply'
  const { data: platforms = [] } = usePlatforms()
  const mayWrite = useSession().permissions.includes('comments:write')
  const query: CommentsQuery = {
    state,
    ...(assignee && { assignee }),
    ...(kind && { kind: kind as Comment['kind'] }),
    ...(filters.platform && { platform: filters.platform as ReplyBody['platform'] }),
    ...(filters.account && { accountId: filters.account }),
  }
  const comments = useList(['comment', 'inbox', query], (cursor) =>
    answered(api.GET('/comments', { params: { query: { ...pageAfter(cursor, AT_ONCE), ...query } } })),
  )
  const settling = useSettle()
  const look = useChange({
    change: () => answered(api.POST('/comments/check-now', { body: {} })),
    touches: ['comment'],
    done: ({ accounts }) =>
      plural(accounts.length, {
        one: 'Checking # account for new comments.',
        other: 'Checking # accounts for new comments.',
      }),
  })
  const conversing = new Set(platforms.filter(({ conversation }) => conversation).map(({ key }) => key))
  const isFiltered = kind !== '' || filters.platform !== '' || filters.account !== '' || assignee !== ''
  return (
    <Page
      title={t`Inbox`}
      styles={styles}
      intro={t`Comments and mentions of the last 7 days, and the replies drafted for you.`}
      actions={
        mayWrite && (
          <Button isPending={look.isPending} onPress={() => look.mutate(undefined)}>
            <Trans>Check now</Trans>
          </Button>
        )
      }
    >
      <Segments
        label={t`Show`}
        value={state}
        options={STATES}
        onChange={(value) => set({ state: value === 'to_reply' ? '' : value })}
      />
      <div className="filters" role="group" aria-label={t`Filters`}>
        <AccountFilter value={filters} onChange={set} isOffered={(key) => conversing.has(key)} />
        <Choice
          label={t`Kind`}
          value={kind}
          options={[
            { value: '', label: t`Comments and mentions` },
            { value: 'comment', label: t`Comments` },
            { value: 'mention', label: t`Mentions` },
          ]}
          onChange={(value) => set({ kind: value })}
        />
        <AssigneeFilter value={assignee} onChange={(value) => set({ assignee: value })} />
        {isFiltered && (
          <Button small onPress={() => set({ kind: '', platform: '', account: '', assignee: '' })}>
            <Trans>Clear filters</Trans>
          </Button>
        )}
      </div>
      <List query={comments} items={(page) => page.comments} empty={<Nothing state={state} isFiltered={isFiltered} />}>
        {(items) => <Threads key={state} items={items} state={state} mayWrite={mayWrite} settling={settling} />}
      </List>
    </Page>
  )
}

const NOTHING: Readonly<Record<InboxState, readonly [title: string, hint: string]>> = {
  to_reply: [t`No comments to reply to`, t`New comments and mentions appear here automatically.`],
  draft_ready: [
    t`No replies to review`,
    t`Drafts come from accounts whose automation is “Draft a reply for my approval”, and from “Draft with AI” on a comment.`,
  ],
  done: [t`Nothing done yet`, t`Comments that you reply to or dismiss appear here for 7 days.`],
}

function Nothing({ state, isFiltered }: { readonly state: InboxState; readonly isFiltered: boolean }) {
  const [title, hint] = NOTHING[state]
  return (
    <section className="card">
      <Empty title={title}>{isFiltered ? t`Other networks, accounts, kinds or people may have some.` : hint}</Empty>
    </section>
  )
}
