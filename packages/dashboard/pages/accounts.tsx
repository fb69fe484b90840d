import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { useAccountAccess, useAccounts, usePlatforms, useSession } from '../client/queries.ts'
import type { Accounts as ByPlatform } from '../client/types.ts'
import { usePlatformName } from '../parts/accounts.tsx'
import { Button } from '../parts/buttons.tsx'
import { Page } from '../parts/page.tsx'
import { PlatformIcon } from '../parts/platform-icon.tsx'
import { Card, Empty, Loading, Problem } from '../parts/shown.tsx'
import { toast } from '../parts/toasts.tsx'
import { AccountItem } from './accounts/account-item.tsx'
import { Connect } from './accounts/connect.tsx'
import { Costs } from './accounts/costs.tsx'
import { ReconnectForm } from './accounts/reconnect-form.tsx'

export default function Accounts() {
  const accounts = useAccounts()
  const access = useAccountAccess()
  const platforms = usePlatforms()
  const nameOf = usePlatformName()
  const mayConnect = useSession().permissions.includes('accounts:write')
  const [isConnecting, setConnecting] = useState(false)
  const [params, setParams] = useSearchParams()
  const again = access.data?.find(({ id }) => id === params.get('reconnect'))
  useConnected(accounts.data)
  useShownByHash(accounts.data !== undefined)
  const connect = mayConnect && (
    <Button look="main" onPress={() => setConnecting(true)}>
      <Trans>Connect an account</Trans>
    </Button>
  )
  return (
    <Page title={t`Accounts`} intro={t`The accounts that you publish to and receive comments on.`} actions={connect}>
      {accounts.isPending && <Loading />}
      {accounts.error && <Problem error={accounts.error} onRetry={() => void accounts.refetch()} />}
      {access.error && <Problem error={access.error} onRetry={() => void access.refetch()} />}
      {accounts.data && Object.keys(accounts.data).length === 0 && (
        <Empty title={t`No accounts yet`} action={connect}>
          <Trans>Sign in on a network and allow Fanfare to publish for you.</Trans>
        </Empty>
      )}
      <div className="columns">
        {Object.entries(accounts.data ?? {}).map(([platform, list]) => (
          <Card key={platform} title={nameOf(platform)} icon={<PlatformIcon of={platform} isNamed />}>
            <ul className="items">
              {list.map((account) => (
                <AccountItem
                  key={account.id}
                  account={account}
                  platform={platforms.data?.find(({ key }) => key === platform)}
                  access={access.data?.find(({ id }) => id === account.id)}
                />
              ))}
            </ul>
          </Card>
        ))}
      </div>
      <Costs />
      {isConnecting && <Connect onClose={() => setConnecting(false)} />}
      {mayConnect && again && <ReconnectForm account={again} onClose={() => setParams({}, { replace: true })} />}
    </Page>
  )
}

/** Scrolls to the account that a link names, once it is there. */
function useShownByHash(isThere: boolean) {
  const { hash } = useLocation()
  useEffect(() => {
    if (isThere && hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView({ block: 'center' })
  }, [isThere, hash])
}

/** Confirms a finished consent once, as soon as the accounts appear. */
function useConnected(accounts: ByPlatform | undefined) {
  const [params, setParams] = useSearchParams()
  const all = Object.values(accounts ?? {}).flat()
  const ids = params.getAll('connected')
  const labels = all.filter(({ id }) => ids.includes(id)).map(({ label }) => label)
  const names = labels.join(', ')
  const text =
    labels.length > 0 && labels.length === ids.length
      ? plural({ count: labels.length }, { one: `${names} is connected.`, other: `${names} are connected.` })
      : undefined
  useEffect(() => {
    if (text === undefined) return
    toast({ text })
    setParams({}, { replace: true })
  }, [text, setParams])
}
