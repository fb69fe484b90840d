import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useChange } from '../../../client/queries.ts'
import { securityApi, type TotpSecret } from '../../../client/security-api.ts'
import { Actions, Button } from '../../../parts/buttons.tsx'
import { Dialog } from '../../../parts/dialogs.tsx'
import { Problem } from '../../../parts/shown.tsx'
import { CodeAndPassword, enteredIn } from './code-and-password.tsx'

/** Shows a secret, and turns two-step sign-in on once an app has it. */
export function TurnOn(props: {
  readonly secret: TotpSecret | undefined
  readonly onClose: () => void
  readonly onDone: (recoveryCodes: readonly string[]) => void
}) {
  const { secret: shown, onClose, onDone } = props
  const turnOn = useChange({
    change: securityApi.enableTotp,
    touches: ['session', 'user'],
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
    showsProblem: true,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (shown) turnOn.mutate({ ...enteredIn(event.currentTarget), secret: shown.secret })
  }
  return (
    <Dialog title={t`Set up two-step sign-in`} isOpen={shown !== undefined} onClose={onClose}>
      <Form onSubmit={submit}>
        {turnOn.error && <Problem error={turnOn.error} />}
        <p>
          <Trans>
            Enter this key in your authenticator app, or <a href={shown?.uri}>open the app</a> if it is on this device.
          </Trans>
        </p>
        <p className="code">{shown?.secret.match(/.{4}/g)?.join(' ')}</p>
        <CodeAndPassword hint={t`The code that the app then shows.`} />
        <p className="hint">
          <Trans>You are signed out everywhere else.</Trans>
        </p>
        <Actions>
          <Button look="main" type="submit" isPending={turnOn.isPending}>
            <Trans>Turn on</Trans>
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
