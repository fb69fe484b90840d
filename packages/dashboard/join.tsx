import { useQuery } from '@tanstack/react-query'
import { useEffect, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useChange } from './client/queries.ts'
import { sessionApi, type OpenInvitation, type Session } from './client/session-api.ts'
import { Button, ButtonLink } from './parts/buttons.tsx'
import { Field } from './parts/fields.tsx'
import { ROLES } from './parts/roles.ts'
import { Loading, Problem } from './parts/shown.tsx'

/** The page of an invitation's link. */
export function Join(props: {
  readonly token: string
  readonly isSignedIn: boolean
  readonly onJoined: (session: Session) => void
}) {
  const { token, isSignedIn, onJoined } = props
  const { data, error } = useQuery({
    queryKey: ['invitation', 'link', token],
    queryFn: () => sessionApi.invitation(token),
    staleTime: Infinity,
  })
  useEffect(() => {
    document.title = `${data ? `Join ${data.workspace.name}` : 'Invitation'} · Fanfare`
  }, [data])

  return (
    <main className="sign-in">
      <div className="card">
        <img src="/icon.svg" alt="" width="40" height="40" />
        {data ? (
          <JoinForm token={token} invitation={data} isSignedIn={isSignedIn} onJoined={onJoined} />
        ) : (
          <>
            <h1>Invitation to Fanfare</h1>
            {error ? <Problem error={error} /> : <Loading lines={1} />}
            {error && <ButtonLink to="/">{isSignedIn ? 'Go to Home' : 'Sign in'}</ButtonLink>}
          </>
        )}
      </div>
    </main>
  )
}

function JoinForm(props: {
  readonly token: string
  readonly invitation: OpenInvitation
  readonly isSignedIn: boolean
  readonly onJoined: (session: Session) => void
}) {
  const { token, invitation, isSignedIn, onJoined } = props
  const { workspace, role } = invitation
  const join = useChange({
    change: ({ name, password }: { readonly name: string; readonly password: string }) =>
      sessionApi.join(token, name, password),
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
