import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { Link, useLocation } from 'react-router'
import { sessionApi, type CodeRequired, type Credentials, type Session } from './client/session-api.ts'
import { Button, LinkAway } from './parts/buttons.tsx'
import { Field } from './parts/fields.tsx'
import { LanguageChoice } from './parts/language-choice.tsx'
import { Problem } from './parts/shown.tsx'

export function SignIn({
  hasExpired,
  onSignedIn,
}: {
  readonly hasExpired: boolean
  readonly onSignedIn: (answer: Session | CodeRequired, by: Credentials) => void
}) {
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<Error>()
  const { pathname, search } = useLocation()
  const asked = useQuery({ queryKey: ['session', 'single-sign-on'], queryFn: sessionApi.singleSignOn })
  const signOn = asked.data?.singleSignOn
  useEffect(() => {
    document.title = `${t`Sign in`} · Fanfare`
  }, [])

  const signIn = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const credentials = { name: String(fields.get('name')), password: String(fields.get('password')) }
    setPending(true)
    setError(undefined)
    await sessionApi
      .signIn(credentials)
      .then((answer) => onSignedIn(answer, credentials), setError)
      .finally(() => setPending(false))
  }

  return (
    <main className="sign-in">
      <Form className="card" onSubmit={(event) => void signIn(event)}>
        <img src="/icon.svg" alt="" width="40" height="40" />
        <h1>
          <Trans>Sign in to Fanfare</Trans>
        </h1>
        {hasExpired && !error && (
          <p role="status">
            <Trans>Your session has expired. Sign in again to continue.</Trans>
          </p>
        )}
        {error && <Problem error={error} />}
        <Field label={t`Name`} name="name" autoComplete="username" isRequired autoFocus />
        <Field label={t`Password`} name="password" type="password" autoComplete="current-password" isRequired />
        <Button look="main" type="submit" isPending={isPending}>
          <Trans>Sign in</Trans>
        </Button>
        {signOn && (
          <LinkAway href={`${signOn.url}?${new URLSearchParams({ to: pathname + search })}`}>
            <Trans>Sign in with {signOn.name}</Trans>
          </LinkAway>
        )}
        <p className="hint">
          <Link to="/forgotten">
            <Trans>Forgot your password?</Trans>
          </Link>
        </p>
        <p className="hint">
          <Trans>
            Fanfare printed a name and a password when it first started. Others join with the link of an invitation.
          </Trans>
        </p>
        <LanguageChoice isLabelHidden />
      </Form>
    </main>
  )
}
