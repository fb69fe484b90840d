import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
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
    document.title = `${t`Forgotten password`} · Fanfare`
  }, [])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    ask.mutate(String(new FormData(event.currentTarget).get('name')).trim())
  }
  return (
    <main className="sign-in">
      <Form className="card" onSubmit={submit}>
        <img src="/icon.svg" alt="" width="40" height="40" />
        <h1>
          <Trans>Forgotten password</Trans>
        </h1>
        {ask.error && <Problem error={ask.error} />}
        {ask.isSuccess ? (
          <p role="status">
            <Trans>
              If you have confirmed an e-mail address under Settings, Notifications, a link is on its way. Otherwise,
              ask an owner or manager of your workspace for one.
            </Trans>
          </p>
        ) : (
          <Field label={t`Name`} name="name" autoComplete="username" maxLength={200} isRequired autoFocus />
        )}
        <Actions>
          {!ask.isSuccess && (
            <Button look="main" type="submit" isPending={ask.isPending}>
              <Trans>Send a link</Trans>
            </Button>
          )}
          <ButtonLink to="/">
            <Trans>Back</Trans>
          </ButtonLink>
        </Actions>
      </Form>
    </main>
  )
}
