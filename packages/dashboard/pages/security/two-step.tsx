import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange } from '../../client/queries.ts'
import { securityApi } from '../../client/security-api.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Secret } from '../../parts/secret.tsx'
import { Loading, Problem, Status } from '../../parts/shown.tsx'
import { TurnOff } from './turn-off.tsx'
import { TurnOn } from './turn-on.tsx'

/** A code from an authenticator app besides the password. */
export function TwoStep() {
  const totp = useQuery({ queryKey: ['session', 'totp'], queryFn: securityApi.totp })
  const [codes, setCodes] = useState<readonly string[]>()
  const [isTurningOff, setTurningOff] = useState(false)
  const begin = useChange({ change: securityApi.createTotpSecret, touches: [] })
  return (
    <>
      {totp.error && <Problem error={totp.error} onRetry={() => void totp.refetch()} />}
      {totp.isPending && <Loading lines={1} />}
      {totp.data?.enabled && (
        <>
          <p>
            <Status of="On" /> {totp.data.recoveryCodesLeft} recovery codes are left.
          </p>
          <Actions>
            <Button onPress={() => setTurningOff(true)}>Turn off</Button>
          </Actions>
        </>
      )}
      {totp.data?.enabled === false && (
        <>
          <p>Off. Set it up to sign in with a code from an authenticator app besides your password.</p>
          <Actions>
            <Button isPending={begin.isPending} onPress={() => begin.mutate(undefined)}>
              Set up
            </Button>
          </Actions>
        </>
      )}
      <TurnOn
        secret={begin.data}
        onClose={begin.reset}
        onDone={(recoveryCodes) => {
          begin.reset()
          setCodes(recoveryCodes)
        }}
      />
      <TurnOff isOpen={isTurningOff} onClose={() => setTurningOff(false)} />
      <Secret
        title="Recovery codes"
        secret={codes?.join('\n')}
        rows={codes?.length ?? 0}
        hint="Two-step sign-in is on. Each of these codes signs you in once if you lose your app. Copy them now: they are not shown again."
        onClose={() => setCodes(undefined)}
      />
    </>
  )
}
