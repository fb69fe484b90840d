import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useChange } from './client/queries.ts'
import { sessionApi } from './client/session-api.ts'
import { Actions, Button } from './parts/buttons.tsx'
import { Dialog } from './parts/dialogs.tsx'
import { Field } from './parts/fields.tsx'
import { Problem } from './parts/shown.tsx'

/** Changes the user's own password, which ends their other sessions. */
export function Password() {
  const [isOpen, setOpen] = useState(false)
  const change = useChange({
    change: ({ current, next }: { readonly current: string; readonly next: string }) =>
      sessionApi.changePassword(current, next),
    touches: [],
    done: 'Password changed. You have been signed out everywhere else.',
    onDone: () => setOpen(false),
    showsProblem: true,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    change.mutate({ current: String(fields.get('current')), next: String(fields.get('next')) })
  }
  return (
    <>
      <Button look="quiet" small onPress={() => setOpen(true)}>
        Password
      </Button>
      <Dialog title="Change the password" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Form onSubmit={submit}>
          {change.error && <Problem error={change.error} />}
          <Field
            label="Current password"
            name="current"
            type="password"
            autoComplete="current-password"
            isRequired
            autoFocus
          />
          <Field
            label="New password"
            name="next"
            type="password"
            autoComplete="new-password"
            minLength={10}
            isRequired
            hint="At least 10 characters."
          />
          <Actions>
            <Button look="main" type="submit" isPending={change.isPending}>
              Change password
            </Button>
          </Actions>
        </Form>
      </Dialog>
    </>
  )
}
