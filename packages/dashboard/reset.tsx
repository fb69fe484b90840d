import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ComponentProps, FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useChange } from './client/queries.ts'
import { securityApi } from './client/security-api.ts'
import { Button } from './parts/buttons.tsx'
import { Field } from './parts/fields.tsx'
import { LinkPage } from './parts/link-page.tsx'
import { Problem } from './parts/shown.tsx'
import type { SignIn } from './sign-in.tsx'

/** The page of a link with which a user chooses a new password. */
export function Reset(props: {
  readonly token: string
  readonly isSignedIn: boolean
  readonly onDone: ComponentProps<typeof SignIn>['onSignedIn']
}) {
  const { token, isSignedIn, onDone } = props
  return (
    <LinkPage
      title={t`New password`}
      titleOf={() => t`New password`}
      queryKey={['user', 'reset-link', token]}
      look={() => securityApi.resetLink(token)}
      isSignedIn={isSignedIn}
    >
      {({ user }) => <ResetForm token={token} name={user.name} onDone={onDone} />}
    </LinkPage>
  )
}

function ResetForm(props: {
  readonly token: string
  readonly name: string
  readonly onDone: ComponentProps<typeof SignIn>['onSignedIn']
}) {
  const { token, name, onDone } = props
  const reset = useChange({
    change: (password: string) => securityApi.reset(token, password),
    touches: [],
    onDone: (answer, password) => onDone(answer, { name, password }),
    showsProblem: true,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    reset.mutate(String(new FormData(event.currentTarget).get('password')))
  }
  return (
    <Form onSubmit={submit}>
      <h1>
        <Trans>Choose a new password</Trans>
      </h1>
      <p className="muted">
        <Trans>You are signed out everywhere else.</Trans>
      </p>
      {reset.error && <Problem error={reset.error} />}
      {/* So that a password manager knows whose it is. */}
      <Field label={t`Name`} name="name" autoComplete="username" defaultValue={name} isReadOnly />
      <Field
        label={t`New password`}
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={10}
        isRequired
        autoFocus
        hint={t`At least 10 characters.`}
      />
      <Button look="main" type="submit" isPending={reset.isPending}>
        <Trans>Set password and sign in</Trans>
      </Button>
    </Form>
  )
}
