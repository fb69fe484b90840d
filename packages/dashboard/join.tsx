import type { ComponentProps, FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useChange } from './client/queries.ts'
import { sessionApi, type Credentials, type OpenInvitation } from './client/session-api.ts'
import { Button } from './parts/buttons.tsx'
import { Field } from './parts/fields.tsx'
import { LinkPage } from './parts/link-page.tsx'
import { ROLES } from './parts/roles.ts'
import { Problem } from './parts/shown.tsx'
import type { SignIn } from './sign-in.tsx'

/** The page of an invitation's link. */
export function Join(props: {
  readonly token: string
  readonly isSignedIn: boolean
  readonly onJoined: ComponentProps<typeof SignIn>['onSignedIn']
}) {
  const { token, isSignedIn, onJoined } = props
  return (
    <LinkPage
      title="Invitation to Fanfare"
      titleOf={({ workspace }) => `Join ${workspace.name}`}
      queryKey={['invitation', 'link', token]}
      look={() => sessionApi.invitation(token)}
      isSignedIn={isSignedIn}
    >
      {(invitation) => <JoinForm token={token} invitation={invitation} isSignedIn={isSignedIn} onJoined={onJoined} />}
    </LinkPage>
  )
}

function JoinForm(props: {
  readonly token: string
  readonly invitation: OpenInvitation
  readonly isSignedIn: boolean
  readonly onJoined: ComponentProps<typeof SignIn>['onSignedIn']
}) {
  const { token, invitation, isSignedIn, onJoined } = props
  const { workspace, role } = invitation
  const join = useChange({
    change: (credentials: Credentials) => sessionApi.join(token, credentials),
    touches: [],
    onDone: onJoined,
    showsProblem: true,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    join.mutate({ name: String(fields.get('name')).trim(), password: String(fields.get('password')) })
  }
  return (
    <Form onSubmit={submit}>
      <h1>
        Join {workspace.name} as {role}
      </h1>
      <p className="muted">{ROLES[role]}</p>
      {isSignedIn && <p role="status">You are signed in already. Joining signs you out here.</p>}
      {join.error && <Problem error={join.error} />}
      <Field
        label="Name"
        name="name"
        autoComplete="username"
        maxLength={100}
        isRequired
        autoFocus
        hint="Letters, digits and . _ @ + -; an email address works. You sign in with it."
      />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={10}
        isRequired
        hint="At least 10 characters."
      />
      <Button look="main" type="submit" isPending={join.isPending}>
        Join
      </Button>
    </Form>
  )
}
