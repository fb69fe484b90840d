import { useEffect, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useChange } from './client/queries.ts'
import { sessionApi } from './client/session-api.ts'
import { Actions, Button, ButtonLink } from './parts/buttons.tsx'
import { Field } from './parts/fields.tsx'
import { Problem } from './parts/shown.tsx'

/** Asks for a link by e-mail. */
export function Forgotten() {
  const ask = useChange({ change: sessionApi.forgotPassword, touches: [], showsProblem: true })
  useEffect(() => {
    document.title = 'Forgotten password · Fanfare'
  }, [])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    ask.mutate(String(new FormData(event.currentTarget).get('name')).trim())
  }
  return (
    <main className="sign-in">
      <Form className="card" onSubmit={submit}>
        <img src="/icon.svg" alt="" width="40" height="40" />
        <h1>Forgotten password</h1>
        {ask.error && <Problem error={ask.error} />}
        {ask.isSuccess ? (
          <p role="status">
            If you have confirmed an e-mail address under Notifications, a link is on its way. Otherwise, ask an owner
            or manager of your workspace for one.
          </p>
        ) : (
          <Field label="Name" name="name" autoComplete="username" maxLength={200} isRequired autoFocus />
        )}
        <Actions>
          {!ask.isSuccess && (
            <Button look="main" type="submit" isPending={ask.isPending}>
              Send a link
            </Button>
          )}
          <ButtonLink to="/">Back</ButtonLink>
        </Actions>
      </Form>
    </main>
  )
}
