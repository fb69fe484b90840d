import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState, type ComponentProps, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { sessionApi, type Credentials } from './client/session-api.ts'
import { Actions, Button } from './parts/buttons.tsx'
import { Field } from './parts/fields.tsx'
import { Problem } from './parts/shown.tsx'
import type { SignIn } from './sign-in.tsx'

/** Asks for the code from an authenticator app, after the password. */
export function SecondStep(props: {
  readonly credentials: Credentials
  readonly onSignedIn: ComponentProps<typeof SignIn>['onSignedIn']
  readonly onBack: () => void
}) {
  const { credentials, onSignedIn, onBack } = props
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<Error>()
  useEffect(() => {
    document.title = `${t`Enter your code`} · Fanfare`
  }, [])

  const signIn = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code'))
    setPending(true)
    setError(undefined)
    await sessionApi
      .signIn({ ...credentials, code })
      .then((answer) => onSignedIn(answer, credentials), setError)
      .finally(() => setPending(false))
  }

  return (
    <main className="sign-in">
      <Form className="card" onSubmit={(event) => void signIn(event)}>
        <img src="/icon.svg" alt="" width="40" height="40" />
        <h1>
          <Trans>Enter your code</Trans>
        </h1>
        {error && <Problem error={error} />}
        <Field
          label={t`Code`}
          name="code"
          autoComplete="one-time-code"
          maxLength={100}
          isRequired
          autoFocus
          hint={t`From your authenticator app, or one of your recovery codes.`}
        />
        <Actions>
          <Button look="main" type="submit" isPending={isPending}>
            <Trans>Sign in</Trans>
          </Button>
          <Button onPress={onBack}>
            <Trans>Back</Trans>
          </Button>
        </Actions>
      </Form>
    </main>
  )
}
