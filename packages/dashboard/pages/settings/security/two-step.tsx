import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange } from '../../../client/queries.ts'
import { securityApi } from '../../../client/security-api.ts'
import { Actions, Button } from '../../../parts/buttons.tsx'
import { Secret } from '../../../parts/secret.tsx'
import { Loading, Problem, Status } from '../../../parts/shown.tsx'
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
            <Status of={t`On`} />{' '}
            <Plural
              value={{ count: totp.data.recoveryCodesLeft ?? 0 }}
              one="# recovery code is left."
              other="# recovery codes are left."
            />
          </p>
          <Actions>
            <Button onPress={() => setTurningOff(true)}>
              <Trans>Turn off</Trans>
            </Button>
          </Actions>
        </>
      )}
      {totp.data?.enabled === false && (
        <>
          <p>
            <Trans>Off. Set it up to sign in with a code from an authenticator app besides your password.</Trans>
          </p>
          <Actions>
            <Button isPending={begin.isPending} onPress={() => begin.mutate(undefined)}>
              <Trans context="verb">Set up</Trans>
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
        title={t`Recovery codes`}
        secret={codes?.join('\n')}
        rows={codes?.length ?? 0}
        hint={t`Two-step sign-in is on. Each of these codes signs you in once if you lose your app. Copy them now: they are not shown again.`}
        onClose={() => setCodes(undefined)}
      />
    </>
  )
}
