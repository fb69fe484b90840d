import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useChange } from '../../../client/queries.ts'
import { securityApi } from '../../../client/security-api.ts'
import { Actions, Button } from '../../../parts/buttons.tsx'
import { Dialog } from '../../../parts/dialogs.tsx'
import { Problem } from '../../../parts/shown.tsx'
import { CodeAndPassword, enteredIn } from './code-and-password.tsx'

export function TurnOff({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const turnOff = useChange({
    change: securityApi.disableTotp,
    touches: ['session', 'user'],
    done: t`Two-step sign-in is off.`,
    onDone: onClose,
    showsProblem: true,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    turnOff.mutate(enteredIn(event.currentTarget))
  }
  return (
    <Dialog title={t`Turn off two-step sign-in`} isOpen={isOpen} onClose={onClose}>
      <Form onSubmit={submit}>
        {turnOff.error && <Problem error={turnOff.error} />}
        <CodeAndPassword hint={t`From your authenticator app, or one of your recovery codes.`} />
        <Actions>
          <Button look="danger" type="submit" isPending={turnOff.isPending}>
            <Trans>Turn off</Trans>
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
