import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useChange } from '../../../client/queries.ts'
import { securityApi, type Identity } from '../../../client/security-api.ts'
import { Actions, Button } from '../../../parts/buttons.tsx'
import { Dialog } from '../../../parts/dialogs.tsx'
import { Field } from '../../../parts/fields.tsx'
import { Problem, Status } from '../../../parts/shown.tsx'
import { CodeAndPassword, enteredIn } from './code-and-password.tsx'

/** The user's identity at the OpenID Connect provider. */
export function SingleSignOn({ identity }: { readonly identity: Identity }) {
  const { provider, issuer, hasPassword } = identity
  const [isLinking, setLinking] = useState(false)
  const unlink = useChange({
    change: securityApi.unlinkIdentity,
    touches: ['session', 'user'],
    done: t`Single sign-on is unlinked.`,
  })
  if (issuer === null) {
    return (
      <>
        <p>
          <Trans>Not linked. Link it to sign in with {provider} besides your password.</Trans>
        </p>
        <Actions>
          <Button onPress={() => setLinking(true)}>
            <Trans context="verb">Link</Trans>
          </Button>
        </Actions>
        <Link isOpen={isLinking} onClose={() => setLinking(false)} />
      </>
    )
  }
  const { host } = new URL(issuer)
  return (
    <>
      <p>
        <Status of={t`Linked`} />{' '}
        {hasPassword ? (
          <Trans>You sign in at {host} or with your password.</Trans>
        ) : (
          <Trans>You sign in at {host}. You have no password.</Trans>
        )}
      </p>
      {hasPassword && (
        <Actions>
          <Button isPending={unlink.isPending} onPress={() => unlink.mutate(undefined)}>
            <Trans>Unlink</Trans>
          </Button>
        </Actions>
      )}
    </>
  )
}

function Link({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const totp = useQuery({ queryKey: ['session', 'totp'], queryFn: securityApi.totp })
  const link = useChange({
    change: securityApi.linkIdentity,
    touches: [],
    onDone: ({ url }) => window.location.assign(url),
    showsProblem: true,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { password, code } = enteredIn(event.currentTarget)
    link.mutate({ password, ...(totp.data?.enabled && { code }) })
  }
  return (
    <Dialog title={t`Link single sign-on`} isOpen={isOpen} onClose={onClose}>
      <Form onSubmit={submit}>
        {link.error && <Problem error={link.error} />}
        {totp.data?.enabled ? (
          <CodeAndPassword hint={t`From your authenticator app, or one of your recovery codes.`} />
        ) : (
          <Field
            label={t`Password`}
            name="password"
            type="password"
            autoComplete="current-password"
            isRequired
            autoFocus
          />
        )}
        <p className="hint">
          <Trans>You go on at the provider, and come back here.</Trans>
        </p>
        <Actions>
          <Button look="main" type="submit" isPending={link.isPending}>
            <Trans>Continue</Trans>
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
