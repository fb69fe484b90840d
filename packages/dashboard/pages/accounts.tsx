import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useAccounts, usePlatforms } from '../client/queries.ts'
import { sessionApi } from '../client/session-api.ts'
import type { Account, Accounts as ByPlatform } from '../client/types.ts'
import { usePlatformName } from '../parts/accounts.tsx'
import { Actions, Button } from '../parts/buttons.tsx'
import { Irrevocable } from '../parts/irrevocable.tsx'
import { Page } from '../parts/page.tsx'
import { Card, Empty, Loading, Moment, Problem, Status } from '../parts/shown.tsx'
import { toast } from '../parts/toasts.tsx'
import { Automation } from './accounts/automation.tsx'
import { Connect } from './accounts/connect.tsx'

export default function Accounts() {
  const accounts = useAccounts()
  const platforms = usePlatforms()
  const nameOf = usePlatformName()
  const [connecting, setConnecting] = useState<{ readonly first?: string }>()
  useConnected(accounts.data)
  const connect = (
    <Button look="main" onPress={() => setConnecting({})}>
      Connect an account
    </Button>
  )
  return (
    <Page title="Accounts" intro="The accounts that you publish to and receive comments on." actions={connect}>
      {accounts.isPending && <Loading />}
      {accounts.error && <Problem error={accounts.error} onRetry={() => void accounts.refetch()} />}
      {accounts.data && Object.keys(accounts.data).length === 0 && (
        <Empty title="No accounts yet" action={connect}>
          Sign in on the platform, or enter credentials from it.
        </Empty>
      )}
      <div className="columns">
        {Object.entries(accounts.data ?? {}).map(([platform, list]) => (
          <Card key={platform} title={nameOf(platform)}>
            <ul className="items">
              {list.map((account) => (
                <AccountItem
                  key={account.id}
                  account={account}
                  hasConversation={platforms.data?.find(({ key }) => key === platform)?.conversation ?? false}
                  onReconnect={() => setConnecting({ first: platform })}
                />
              ))}
            </ul>
          </Card>
        ))}
      </div>
      {connecting && <Connect first={connecting.first} onClose={() => setConnecting(undefined)} />}
    </Page>
  )
}

/** Confirms a finished consent once, as soon as the account appears. */
function useConnected(accounts: ByPlatform | undefined) {
  const [params, setParams] = useSearchParams()
  const all = Object.values(accounts ?? {}).flat()
  const label = all.find(({ id }) => id === params.get('connected'))?.label
  useEffect(() => {
    if (label === undefined) return
    toast({ text: `${label} is connected.` })
    setParams({}, { replace: true })
  }, [label, setParams])
}

const AUTOMATION: Readonly<Record<Account['automation'], string>> = {
  off: 'Automatic replies: off',
  review: 'Automatic replies: drafted for review',
  auto: 'Automatic replies: on',
}

function AccountItem(props: {
  readonly account: Account
  /** Whether comments are read on its platform. */
  readonly hasConversation: boolean
  readonly onReconnect: () => void
}) {
  const { account, hasConversation, onReconnect } = props
  const { id, label, status, restsUntil, reason, commentsError, analyticsError, automation } = account
  const [isAutomating, setAutomating] = useState(false)
  return (
    <li>
      <div className="item-body">
        <div className="item-line">
          <strong>{label}</strong> <Status of={status} />
        </div>
        {reason && <p className="said">{reason}</p>}
        {restsUntil && (
          <p className="hint">
            Rate limited until <Moment at={restsUntil} />
          </p>
        )}
        {commentsError && <p className="said">Comments cannot be read: {commentsError}</p>}
        {analyticsError && <p className="said">Metrics cannot be read: {analyticsError}</p>}
        {hasConversation && <p className="hint">{AUTOMATION[automation]}</p>}
        <p className="hint code">{id}</p>
      </div>
      <Actions>
        {status === 'needs_reauth' && (
          <Button small look="main" onPress={onReconnect}>
            Reconnect
          </Button>
        )}
        {hasConversation && (
          <Button small onPress={() => setAutomating(true)} aria-label={`Automation of ${label}`}>
            Automation
          </Button>
        )}
        <Irrevocable
          small
          action="Disconnect"
          name={`Disconnect ${label}`}
          title={`Disconnect ${label}?`}
          change={() => sessionApi.disconnect(id)}
          touches={['account']}
          done={`${label} is disconnected.`}
        >
          Its credentials are deleted. What is scheduled on it will fail; what is published stays where it is.
        </Irrevocable>
      </Actions>
      {isAutomating && <Automation account={account} onClose={() => setAutomating(false)} />}
    </li>
  )
}
