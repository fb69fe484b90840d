import { useQuery } from '@tanstack/react-query'
import { readPush, turnOffPush, turnOnPush, type PushState } from '../../client/push.ts'
import { useChange } from '../../client/queries.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Card, Loading, Problem, Status } from '../../parts/shown.tsx'

/** Notifications of the system, for the user of this browser. */
export function ThisBrowser() {
  const push = useQuery({ queryKey: ['channel', 'push'], queryFn: readPush })
  const turnOn = useChange({
    change: turnOnPush,
    touches: ['channel'],
    done: (isGiven) => (isGiven ? 'On. Send a test to see whether it arrives.' : 'The browser was not allowed to.'),
    showsProblem: true,
  })
  const turnOff = useChange({ change: turnOffPush, touches: ['channel'], done: 'Off in this browser.' })
  const { data } = push
  return (
    <Card title="In this browser">
      {push.error && <Problem error={push.error} onRetry={() => void push.refetch()} />}
      {turnOn.error && <Problem error={turnOn.error} />}
      {push.isPending && <Loading lines={1} />}
      {data && (
        <p>
          {data.state === 'on' && <Status of="On" />} {SAID[data.state]}
        </p>
      )}
      {data && data.others.length > 0 && (
        <p className="hint">
          {data.state === 'on' ? 'Also on in' : 'On in'} {data.others.map(({ address }) => address).join(', ')}.
        </p>
      )}
      {(data?.state === 'off' || data?.state === 'ended') && (
        <Actions>
          <Button look="main" isPending={turnOn.isPending} onPress={() => turnOn.mutate(undefined)}>
            Turn on
          </Button>
        </Actions>
      )}
      {data?.state === 'on' && (
        <Actions>
          <Button isPending={turnOff.isPending} onPress={() => turnOff.mutate(undefined)}>
            Turn off
          </Button>
        </Actions>
      )}
    </Card>
  )
}

const SAID: Readonly<Record<PushState, string>> = {
  on: 'Notifications appear here, also while this page is closed or you are signed out. Choose what for below.',
  off: 'Let notifications appear here, also while this page is closed.',
  ended: 'Your notifications do not appear here: they were removed, or the browser has ended them.',
  denied:
    'Notifications from this site are blocked. To allow them, click the icon beside the address, set Notifications to Allow, and reload the page.',
  unsupported: isSecureContext
    ? 'This browser cannot show notifications of websites.'
    : 'Notifications can only appear on pages that are opened over https, or on localhost.',
}
