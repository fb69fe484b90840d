import { useState } from 'react'
import { useChange, useSession } from '../../client/queries.ts'
import { sessionApi, type AccountAccess, type Platform } from '../../client/session-api.ts'
import type { Account, Destination } from '../../client/types.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { DestinationChoice } from '../../parts/destinations.tsx'
import { Switch } from '../../parts/fields.tsx'
import { Irrevocable } from '../../parts/irrevocable.tsx'
import { Reconnect } from '../../parts/reconnect.tsx'
import { Moment, Status } from '../../parts/shown.tsx'
import { Automation } from './automation.tsx'

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
const LIST = new Intl.ListFormat('en')

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

/** Until when the owner's access lasts, what it covers, and what waits for it. */
function Access({ of }: { readonly of: AccountAccess }) {
  const { endsAt, granted, lacking, scheduledPosts } = of
  const named = (capabilities: readonly Limit['capability'][]) =>
    LIST.format(capabilities.map((capability) => CAPABILITY[capability].toLowerCase()))
  const waiting = `${scheduledPosts} scheduled ${scheduledPosts === 1 ? 'post' : 'posts'}`
  return (
    <ul className="facts hint">
      {granted && granted.length > 0 && <li>Allowed: {named(granted)}</li>}
      {lacking.length > 0 && <li>Not allowed: {named(lacking.map(({ capability }) => capability))}</li>}
      {endsAt && (
        <li>
          Sign-in ends <Moment at={endsAt} short />
        </li>
      )}
      {scheduledPosts > 0 && <li>{waiting}</li>}
    </ul>
  )
}

export function AccountItem(props: {
  readonly account: Account
  /** Absent until they are loaded. */
  readonly platform: Platform | undefined
  readonly access: AccountAccess | undefined
}) {
  const { account, platform, access } = props
  const { conversation: hasConversation = false, hasDestinations = false } = platform ?? {}
  const { id, label, status, restsUntil, reason, limits = [], commentsError, analyticsError } = account
  const { automation, backgroundReading } = account
  const mayChange = useSession().permissions.includes('accounts:write')
  const lacksPermission = limits.some(({ cause }) => cause === 'permission_missing')
  const needsReauth = status === 'needs_reauth'
  /** Otherwise it is said already why it fails. */
  const isCalled = (capability: Limit['capability']) =>
    !needsReauth && !limits.some((limit) => limit.capability === capability)
  const [isAutomating, setAutomating] = useState(false)
  return (
    <li id={id}>
      <div className="item-body">
        <div className="item-line">
          <strong>{label}</strong> <Status of={status} />
        </div>
        {reason && <p className="said">{reason}</p>}
        {access && <Access of={access} />}
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
        {commentsError && isCalled('comments') && <p className="said">Comments cannot be read: {commentsError}</p>}
        {analyticsError && isCalled('analytics') && <p className="said">Metrics cannot be read: {analyticsError}</p>}
        {hasConversation && <p className="hint">{AUTOMATION[automation]}</p>}
        {mayChange && backgroundReading.costs && <BackgroundReading account={account} />}
        {mayChange && hasDestinations && !needsReauth && <DefaultDestination accountId={id} />}
        <p className="hint code">{id}</p>
      </div>
      {mayChange && (
        <Actions>
          {access && needsReauth && <Reconnect account={access} />}
          {access && !needsReauth && (lacksPermission || access.lacking.length > 0) && (
            <Reconnect account={access} action="grant" />
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
      )}
      {isAutomating && <Automation account={account} onClose={() => setAutomating(false)} />}
    </li>
  )
}
