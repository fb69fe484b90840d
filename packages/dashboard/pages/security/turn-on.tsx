import type { FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useChange } from '../../client/queries.ts'
import { securityApi, type TotpSecret } from '../../client/security-api.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Dialog } from '../../parts/dialogs.tsx'
import { Problem } from '../../parts/shown.tsx'
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
    <Dialog title="Set up two-step sign-in" isOpen={shown !== undefined} onClose={onClose}>
      <Form onSubmit={submit}>
        {turnOn.error && <Problem error={turnOn.error} />}
        <p>
          Enter this key in your authenticator app, or <a href={shown?.uri}>open the app</a> if it is on this device.
        </p>
        <p className="code">{shown?.secret.match(/.{4}/g)?.join(' ')}</p>
        <CodeAndPassword hint="The code that the app then shows." />
        <p className="hint">You are signed out everywhere else.</p>
        <Actions>
          <Button look="main" type="submit" isPending={turnOn.isPending}>
            Turn on
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
