import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useChange } from '../../../client/queries.ts'
import { sessionApi } from '../../../client/session-api.ts'
import { Actions, Button } from '../../../parts/buttons.tsx'
import { Field } from '../../../parts/fields.tsx'
import { Problem } from '../../../parts/shown.tsx'

/** Changes the user's own password, which ends their other sessions. */
export function Password() {
  const change = useChange({
    change: ({ fields }: { readonly fields: FormData; readonly form: HTMLFormElement }) =>
      sessionApi.changePassword(String(fields.get('current')), String(fields.get('next'))),
    touches: ['session'],
    done: t`Password changed. You have been signed out everywhere else.`,
    onDone: (_, { form }) => form.reset(),
    showsProblem: true,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    change.mutate({ fields: new FormData(event.currentTarget), form: event.currentTarget })
  }
  return (
    <Form onSubmit={submit}>
      {change.error && <Problem error={change.error} />}
      <Field label={t`Current password`} name="current" type="password" autoComplete="current-password" isRequired />
      <Field
        label={t`New password`}
        name="next"
        type="password"
        autoComplete="new-password"
        minLength={10}
        isRequired
        hint={t`At least 10 characters. You are signed out everywhere else.`}
      />
      <Actions>
        <Button look="main" type="submit" isPending={change.isPending}>
          <Trans>Change password</Trans>
        </Button>
      </Actions>
    </Form>
  )
}
