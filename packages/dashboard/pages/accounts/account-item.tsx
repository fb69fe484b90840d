import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
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
import { locale } from '../../parts/words.ts'
import { Automation } from './automation.tsx'

type Limit = NonNullable<Account['limits']>[number]

const AUTOMATION: Readonly<Record<Account['automation'], string>> = {
  off: t`Automatic replies: off`,
  review: t`Automatic replies: drafted for review`,
  auto: t`Automatic replies: on`,
}

const CAPABILITY: Readonly<Record<Limit['capability'], string>> = {
  publishing: t`Publishing`,
  comments: t`Comments`,
  replies: t`Replies and first comments`,
  analytics: t`Metrics`,
}
/** The same within a sentence. */
const ALLOWED: Readonly<Record<Limit['capability'], string>> = {
  publishing: t`publishing`,
  comments: t`comments`,
  replies: t`replies and first comments`,
  analytics: t`metrics`,
}
const CAUSE: Readonly<Record<Limit['cause'], string>> = {
  permission_missing: t`not granted`,
  app_not_approved: t`the app is not approved`,
  resource_forbidden: t`not allowed`,
  billing: t`stopped by billing`,
  platform_outage: t`the platform has an outage`,
}
const LIST = new Intl.ListFormat(locale())

/** Only where it costs money: elsewhere there is no reason to switch it off. */
function BackgroundReading({ account: { id, label, backgroundReading } }: { readonly account: Account }) {
  const set = useChange({
    change: (isOn: boolean) => sessionApi.readInBackground(id, isOn),
    touches: ['account'],
    done: t`Saved.`,
  })
  return (
    <>
      <Switch
        isSelected={backgroundReading.isOn}
        isDisabled={set.isPending}
        onChange={(isOn) => set.mutate(isOn)}
        aria-label={t`Read comments and metrics of ${label} in the background`}
      >
        <Trans>Read comments and metrics in the background</Trans>
      </Switch>
      <p className="hint">
        <Trans>The platform charges for every post and user that is read, once a day.</Trans>
      </p>
    </>
  )
}

/** Posts go there that choose nothing else. */
function DefaultDestination({ accountId }: { readonly accountId: string }) {
  const set = useChange({
    change: (options: Destination['options']) => sessionApi.setPostDefaults(accountId, options),
    touches: ['account'],
    done: t`Saved.`,
  })
  return (
    <DestinationChoice
      accountId={accountId}
      label={t`Posts go to`}
      hint={t`Unless a post chooses another place. Also applies to scheduled posts.`}
      value={undefined}
      onChange={(options) => options && set.mutate(options)}
    />
  )
}

/** Until when the owner's access lasts, what it covers, and what waits for it. */
function Access({ of }: { readonly of: AccountAccess }) {
  const { endsAt, granted, lacking, scheduledPosts } = of
  const named = (capabilities: readonly Limit['capability'][]) =>
    LIST.format(capabilities.map((capability) => ALLOWED[capability]))

  return (
    <ul className="facts hint">
      {granted && granted.length > 0 && (
        <li>
          <Trans>Allowed: {{ list: named(granted) }}</Trans>
        </li>
      )}
      {lacking.length > 0 && (
        <li>
          <Trans>Not allowed: {{ list: named(lacking.map(({ capability }) => capability)) }}</Trans>
        </li>
      )}
      {endsAt && (
        <li>
          <Trans>
            Sign-in ends <Moment at={endsAt} short />
          </Trans>
        </li>
      )}
      {scheduledPosts > 0 && (
        <li>
          <Plural value={scheduledPosts} one="# scheduled post" other="# scheduled posts" />
        </li>
      )}
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
            <Trans>
              Rate limited until <Moment at={restsUntil} />
            </Trans>
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
        {commentsError && isCalled('comments') && (
          <p className="said">
            <Trans>Comments cannot be read: {commentsError}</Trans>
          </p>
        )}
        {analyticsError && isCalled('analytics') && (
          <p className="said">
            <Trans>Metrics cannot be read: {analyticsError}</Trans>
          </p>
        )}
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
            <Button small onPress={() => setAutomating(true)} aria-label={t`Automation of ${label}`}>
              <Trans>Automation</Trans>
            </Button>
          )}
          <Irrevocable
            small
            action={t`Disconnect`}
            name={t`Disconnect ${label}`}
            title={t`Disconnect ${label}?`}
            change={() => sessionApi.disconnect(id)}
            touches={['account']}
            done={t`${label} is disconnected.`}
          >
            <Trans>
              Its credentials are deleted. What is scheduled on it will fail; what is published stays where it is.
            </Trans>
          </Irrevocable>
        </Actions>
      )}
      {isAutomating && <Automation account={account} onClose={() => setAutomating(false)} />}
    </li>
  )
}
