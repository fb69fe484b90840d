import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type ComponentProps, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useChange, useSession } from './client/queries.ts'
import { sessionApi, type Credentials, type OpenInvitation } from './client/session-api.ts'
import { startOver } from './client/tabs.ts'
import { Actions, Button } from './parts/buttons.tsx'
import { Field } from './parts/fields.tsx'
import { LinkPage } from './parts/link-page.tsx'
import { ROLE_NAMES, ROLES } from './parts/roles.ts'
import { Problem } from './parts/shown.tsx'
import { SignIn } from './sign-in.tsx'

type OnSignedIn = ComponentProps<typeof SignIn>['onSignedIn']

interface Props {
  readonly token: string
  readonly isSignedIn: boolean
  /** As a new user. */
  readonly onJoined: OnSignedIn
  /** With an account: the page asks then whether to join with it. */
  readonly onSignedIn: OnSignedIn
}

/** The page of an invitation's link: for people without an account, and for those who have one. */
export function Join(props: Props) {
  const { token, isSignedIn, onSignedIn } = props
  const [how, setHow] = useState<'new' | 'existing'>()
  if (how === 'existing' && !isSignedIn) return <SignIn hasExpired={false} onSignedIn={onSignedIn} />
  return (
    <LinkPage
      title={t`Invitation to Fanfare`}
      titleOf={({ workspace }) => t`Join ${workspace.name}`}
      queryKey={['invitation', 'link', token]}
      look={() => sessionApi.invitation(token)}
      isSignedIn={isSignedIn}
    >
      {(invitation) =>
        isSignedIn && how !== 'new' ? (
          <JoinAsUser token={token} invitation={invitation} onOther={() => setHow('new')} />
        ) : (
          <JoinForm {...props} invitation={invitation} onHasAccount={() => setHow('existing')} />
        )
      }
    </LinkPage>
  )
}

function Head({ invitation: { workspace, role } }: { readonly invitation: OpenInvitation }) {
  return (
    <>
      <h1>
        <Trans>
          Join {workspace.name} as {ROLE_NAMES[role]}
        </Trans>
      </h1>
      <p className="muted">{ROLES[role]}</p>
    </>
  )
}

function JoinAsUser(props: {
  readonly token: string
  readonly invitation: OpenInvitation
  readonly onOther: () => void
}) {
  const { token, invitation, onOther } = props
  const { user } = useSession()
  const join = useChange({
    change: () => sessionApi.joinAsUser(token),
    touches: [],
    onDone: startOver,
    showsProblem: true,
  })
  return (
    <>
      <Head invitation={invitation} />
      {join.error && <Problem error={join.error} />}
      <p>
        <Trans>You are signed in. Your other workspaces stay as they are, and you can switch between them.</Trans>
      </p>
      <Actions>
        <Button look="main" isPending={join.isPending} onPress={() => join.mutate(undefined)}>
          <Trans>Join as {user.name}</Trans>
        </Button>
        <Button onPress={onOther}>
          <Trans>Join as somebody else</Trans>
        </Button>
      </Actions>
    </>
  )
}

function JoinForm(props: Props & { readonly invitation: OpenInvitation; readonly onHasAccount: () => void }) {
  const { token, invitation, isSignedIn, onJoined, onHasAccount } = props
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
      <Head invitation={invitation} />
      {isSignedIn && (
        <p role="status">
          <Trans>You are signed in already. Joining signs you out here.</Trans>
        </p>
      )}
      {join.error && <Problem error={join.error} />}
      <Field
        label={t`Name`}
        name="name"
        autoComplete="username"
        maxLength={100}
        isRequired
        autoFocus
        hint={t`Letters, digits and . _ @ + -; an email address works. You sign in with it.`}
      />
      <Field
        label={t`Password`}
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={10}
        isRequired
        hint={t`At least 10 characters.`}
      />
      <Actions>
        <Button look="main" type="submit" isPending={join.isPending}>
          <Trans>Join</Trans>
        </Button>
        {!isSignedIn && (
          <Button onPress={onHasAccount}>
            <Trans>I have an account</Trans>
          </Button>
        )}
      </Actions>
    </Form>
  )
}
