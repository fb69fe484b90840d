import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { readPush, turnOffPush, turnOnPush, type PushState } from '../../../client/push.ts'
import { useChange } from '../../../client/queries.ts'
import { Actions, Button } from '../../../parts/buttons.tsx'
import { Card, Loading, Problem, Status } from '../../../parts/shown.tsx'

/** Notifications of the system, for the user of this browser. */
export function ThisBrowser() {
  const push = useQuery({ queryKey: ['channel', 'push'], queryFn: readPush })
  const turnOn = useChange({
    change: turnOnPush,
    touches: ['channel'],
    done: (isGiven) => (isGiven ? t`On. Send a test to see whether it arrives.` : t`The browser was not allowed to.`),
    showsProblem: true,
  })
  const turnOff = useChange({ change: turnOffPush, touches: ['channel'], done: t`Off in this browser.` })
  const { data } = push
  const others = data?.others.map(({ address }) => address).join(', ')
  return (
    <Card title={t`In this browser`}>
      {push.error && <Problem error={push.error} onRetry={() => void push.refetch()} />}
      {turnOn.error && <Problem error={turnOn.error} />}
      {push.isPending && <Loading lines={1} />}
      {data && (
        <p>
          {data.state === 'on' && <Status of={t`On`} />} {SAID[data.state]}
        </p>
      )}
      {data && others && <p className="hint">{data.state === 'on' ? t`Also on in ${others}.` : t`On in ${others}.`}</p>}
      {(data?.state === 'off' || data?.state === 'ended') && (
        <Actions>
          <Button look="main" isPending={turnOn.isPending} onPress={() => turnOn.mutate(undefined)}>
            <Trans>Turn on</Trans>
          </Button>
        </Actions>
      )}
      {data?.state === 'on' && (
        <Actions>
          <Button isPending={turnOff.isPending} onPress={() => turnOff.mutate(undefined)}>
            <Trans>Turn off</Trans>
          </Button>
        </Actions>
      )}
    </Card>
  )
}

const SAID: Readonly<Record<PushState, string>> = {
  on: t`Notifications appear here, also while this page is closed or you are signed out. Choose what for below.`,
  off: t`Let notifications appear here, also while this page is closed.`,
  ended: t`Your notifications do not appear here: they were removed, or the browser has ended them.`,
  denied: t`Notifications from this site are blocked. To allow them, click the icon beside the address, set Notifications to Allow, and reload the page.`,
  unsupported: isSecureContext
    ? t`This browser cannot show notifications of websites.`
    : t`Notifications can only appear on pages that are opened over https, or on localhost.`,
}
