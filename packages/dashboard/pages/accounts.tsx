import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useAccounts, useChange, usePlatforms } from '../client/queries.ts'
import { sessionApi, type Platform } from '../client/session-api.ts'
import type { Account, Accounts as ByPlatform, Destination } from '../client/types.ts'
import { usePlatformName } from '../parts/accounts.tsx'
import { Actions, Button } from '../parts/buttons.tsx'
import { DestinationChoice } from '../parts/destinations.tsx'
import { Switch } from '../parts/fields.tsx'
import { Irrevocable } from '../parts/irrevocable.tsx'
import { Page } from '../parts/page.tsx'
import { Card, Empty, Loading, Moment, Problem, Status } from '../parts/shown.tsx'
import { toast } from '../parts/toasts.tsx'
import { Automation } from './accounts/automation.tsx'
import { Connect } from './accounts/connect.tsx'
import { Costs } from './accounts/costs.tsx'

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
                  platform={platforms.data?.find(({ key }) => key === platform)}
                  onReconnect={() => setConnecting({ first: platform })}
                />
              ))}
            </ul>
          </Card>
        ))}
      </div>
      <Costs />
      {connecting && <Connect first={connecting.first} onClose={() => setConnecting(undefined)} />}
    </Page>
  )
}

/** Confirms a finished consent once, as soon as the accounts appear. */
function useConnected(accounts: ByPlatform | undefined) {
  const [params, setParams] = useSearchParams()
  const all = Object.values(accounts ?? {}).flat()
  const ids = params.getAll('connected')
  const labels = all.filter(({ id }) => ids.includes(id)).map(({ label }) => label)
  const are = labels.length === 1 ? 'is' : 'are'
  const text = labels.length > 0 && labels.length === ids.length ? `${labels.join(', ')} ${are} connected.` : undefined
  useEffect(() => {
    if (text === undefined) return
    toast({ text })
    setParams({}, { replace: true })
  }, [text, setParams])
}

type Limit = NonNullable<Account['limits']>[number]

const AUTOMATION: Readonly<Record<Account['automation'], string>> = {
  off: 'Automatic replies: off',
  review: 'Automatic replies: drafted for review',
  auto: 'Automatic replies: on',
}

const CAPABILITY: Readonly<Record<Limit['capability'], string>> = {
  publishing: 'Publishing',
  comments: 'Comments',
  replies: 'Replies and first comments',
  analytics: 'Metrics',
}
const CAUSE: Readonly<Record<Limit['cause'], string>> = {
  permission_missing: 'not granted',
  app_not_approved: 'the app is not approved',
  resource_forbidden: 'not allowed',
  billing: 'stopped by billing',
  platform_outage: 'the platform has an outage',
}

/** Only where it costs money: elsewhere there is no reason to switch it off. */
function BackgroundReading({ account: { id, label, backgroundReading } }: { readonly account: Account }) {
  const set = useChange({
    change: (isOn: boolean) => sessionApi.readInBackground(id, isOn),
    touches: ['account'],
    done: 'Saved.',
  })
  return (
    <>
      <Switch
        isSelected={backgroundReading.isOn}
        isDisabled={set.isPending}
        onChange={(isOn) => set.mutate(isOn)}
        aria-label={`Read comments and metrics of ${label} in the background`}
      >
        Read comments and metrics in the background
      </Switch>
      <p className="hint">The platform charges for every post and user that is read, once a day.</p>
    </>
  )
}

/** Posts go there that choose nothing else. */
function DefaultDestination({ accountId }: { readonly accountId: string }) {
  const set = useChange({
    change: (options: Destination['options']) => sessionApi.setPostDefaults(accountId, options),
    touches: ['account'],
    done: 'Saved.',
  })
  return (
    <DestinationChoice
      accountId={accountId}
      label="Posts go to"
      hint="Unless a post chooses another place. Also applies to scheduled posts."
      value={undefined}
      onChange={(options) => options && set.mutate(options)}
    />
  )
}

function AccountItem(props: {
  readonly account: Account
  /** Absent until it is loaded. */
  readonly platform: Platform | undefined
  readonly onReconnect: () => void
}) {
  const { account, platform, onReconnect } = props
  const { conversation: hasConversation = false, hasDestinations = false } = platform ?? {}
  const { id, label, status, restsUntil, reason, limits = [], commentsError, analyticsError } = account
  const { automation, backgroundReading } = account
  const isLimited = (capability: Limit['capability']) => limits.some((limit) => limit.capability === capability)
  const lacksPermission = limits.some(({ cause }) => cause === 'permission_missing')
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
        {limits.map(({ capability, cause, reason }) => (
          <p key={capability} className="said">
            <strong>
              {CAPABILITY[capability]}: {CAUSE[cause]}.
            </strong>{' '}
            {reason}
          </p>
        ))}
        {commentsError && !isLimited('comments') && <p className="said">Comments cannot be read: {commentsError}</p>}
        {analyticsError && !isLimited('analytics') && <p className="said">Metrics cannot be read: {analyticsError}</p>}
        {hasConversation && <p className="hint">{AUTOMATION[automation]}</p>}
        {backgroundReading.costs && <BackgroundReading account={account} />}
        {hasDestinations && status !== 'needs_reauth' && <DefaultDestination accountId={id} />}
        <p className="hint code">{id}</p>
      </div>
      <Actions>
        {status === 'needs_reauth' && (
          <Button small look="main" onPress={onReconnect}>
            Reconnect
          </Button>
        )}
        {status !== 'needs_reauth' && lacksPermission && (
          <Button small look="main" onPress={onReconnect} aria-label={`Grant permissions for ${label}`}>
            Grant
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
