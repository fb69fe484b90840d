import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useChange, useSession } from '../../../client/queries.ts'
import type { Role } from '../../../client/session-api.ts'
import { teamApi } from '../../../client/team-api.ts'
import { Actions, Button } from '../../../parts/buttons.tsx'
import { Dialog } from '../../../parts/dialogs.tsx'
import { Choice, Field } from '../../../parts/fields.tsx'
import { managedBy, ROLE_NAMES, ROLES } from '../../../parts/roles.ts'
import { Problem } from '../../../parts/shown.tsx'

/** Chosen until the user chooses another. */
const USUAL = 'author'

export function Invite(props: {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onInvited: (link: string) => void
}) {
  const { isOpen, onClose, onInvited } = props
  const { user: own } = useSession()
  const [role, setRole] = useState<Role>(USUAL)
  const invite = useChange({
    change: teamApi.invite,
    touches: ['invitation'],
    onDone: ({ link }) => {
      setRole(USUAL)
      onInvited(link)
    },
    showsProblem: true,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const label = String(fields.get('label') ?? '').trim()
    invite.mutate({ role, label, days: Number(fields.get('days')) })
  }
  return (
    <Dialog title={t`Invite to the workspace`} isOpen={isOpen} onClose={onClose}>
      <Form onSubmit={submit}>
        {invite.error && <Problem error={invite.error} />}
        <Choice
          label={t`Role`}
          value={role}
          options={managedBy(own.role).map((value) => ({ value, label: ROLE_NAMES[value] }))}
          onChange={(value) => setRole(value as Role)}
          hint={ROLES[role]}
        />
        <Field
          label={t`For`}
          name="label"
          maxLength={100}
          autoFocus
          hint={t`A name, to recognize the invitation in the list. Optional.`}
        />
        <Field
          label={t`Days the link works`}
          name="days"
          type="number"
          min={1}
          max={30}
          defaultValue="7"
          isRequired
          hint={t`1 to 30.`}
        />
        <Actions>
          <Button look="main" type="submit" isPending={invite.isPending}>
            <Trans>Create link</Trans>
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
