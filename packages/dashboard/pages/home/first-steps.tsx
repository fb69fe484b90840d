import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { answered, api, ownApi } from '../../client/client.ts'
import { useAccounts, useSession } from '../../client/queries.ts'
import { teamApi } from '../../client/team-api.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { keep, kept } from '../../parts/kept.ts'
import { Card } from '../../parts/shown.tsx'

const ONE = { params: { query: { limit: 1 } } }

/** Until all is done, or the user has hidden it in this browser. */
export function FirstSteps() {
  const { workspace } = useSession()
  const name = `fanfare-first-steps ${workspace.id}`
  const [isHidden, setHidden] = useState(() => kept(name) !== undefined)
  const hide = () => {
    setHidden(true)
    keep(name, 'hidden')
  }
  return isHidden ? null : <Steps onHide={hide} />
}

interface Step {
  readonly needs?: string
  readonly to: string
  readonly title: string
  readonly hint: string
  /** Undefined until it is known. */
  readonly isDone: boolean | undefined
}

function Steps({ onHide }: { readonly onHide: () => void }) {
  const { permissions } = useSession()
  const done = useDone()
  const all: readonly Step[] = [
    {
      needs: 'accounts:write',
      to: '/accounts',
      title: t`Connect an account`,
      hint: t`Where your posts are published.`,
      isDone: done.account,
    },
    {
      needs: 'posts:write',
      to: '/compose',
      title: t`Plan your first post`,
      hint: t`Write once, for any number of accounts.`,
      isDone: done.post,
    },
    {
      needs: 'users:write',
      to: '/settings/team',
      title: t`Invite a colleague`,
      hint: t`With a role that suits them.`,
      isDone: done.colleague,
    },
    {
      to: '/settings/notifications',
      title: t`Choose your notifications`,
      hint: t`Hear of a failed post while this page is closed.`,
      isDone: done.channel,
    },
  ]
  const steps = all.filter(({ needs }) => needs === undefined || permissions.includes(needs))
  const isKnown = steps.every(({ isDone }) => isDone !== undefined)
  const count = steps.filter(({ isDone }) => isDone).length
  if (!isKnown || count === steps.length) return null
  return (
    <Card
      title={t`Get started`}
      action={
        <Actions>
          <span className="hint">
            <Trans>
              {count} of {steps.length} done
            </Trans>
          </span>
          <Button small look="quiet" onPress={onHide}>
            <Trans>Hide</Trans>
          </Button>
        </Actions>
      }
    >
      <ol className="first-steps">
        {steps.map(({ to, title, hint, isDone }) => (
          <li key={to} className={isDone ? 'done' : undefined}>
            <Link to={to}>
              <span className="tick" aria-hidden>
                {isDone && '✓'}
              </span>
              <span>
                <strong>{title}</strong>
                {isDone && <span className="visually-hidden"> {t`(done)`}</span>}
                <span className="hint">{hint}</span>
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** What has been done of the first steps; undefined until it is known. */
function useDone() {
  const { permissions } = useSession()
  const mayInvite = permissions.includes('users:write')
  const accounts = useAccounts()
  const post = useQuery({
    queryKey: ['post', 'first'],
    queryFn: async () => {
      const [{ posts }, { scheduledPosts }] = await Promise.all([
        answered(api.GET('/posts', ONE)),
        answered(api.GET('/scheduled-posts', ONE)),
      ])
      // Those of the demo are the oldest.
      return scheduledPosts.length > 0 || posts.some(({ origin }) => origin !== 'demo')
    },
  })
  const users = useQuery({ queryKey: ['user'], queryFn: teamApi.users, enabled: mayInvite })
  const invitations = useQuery({ queryKey: ['invitation'], queryFn: teamApi.invitations, enabled: mayInvite })
  const channel = useQuery({
    queryKey: ['channel', 'first'],
    queryFn: async () => (await answered(ownApi.GET('/notification-channels', ONE))).channels.length > 0,
  })
  return {
    account: accounts.data && Object.keys(accounts.data).length > 0,
    post: post.data,
    colleague: users.data && invitations.data && users.data.length + invitations.data.length > 1,
    channel: channel.data,
  }
}
