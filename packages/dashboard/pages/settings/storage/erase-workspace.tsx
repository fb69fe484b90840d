import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Form } from 'react-aria-components'
import { answered, api } from '../../../client/client.ts'
import { useChange } from '../../../client/queries.ts'
import { Actions, Button } from '../../../parts/buttons.tsx'
import { Confirm } from '../../../parts/dialogs.tsx'
import { Field } from '../../../parts/fields.tsx'

/** Erases the whole workspace, once its name is entered. */
export function EraseWorkspace() {
  const [name, setName] = useState('')
  const [isAsking, setAsking] = useState(false)
  const erase = useChange({
    change: () => answered(api.POST('/erasures/workspace', { body: { name: name.trim() } })),
    touches: ['erasure'],
    done: t`The workspace is being erased.`,
    onDone: () => setAsking(false),
  })
  return (
    <Form>
      <p className="muted">
        <Trans>
          Everything in it ends, for all of its users: accounts are disconnected, keys are revoked, and scheduled posts
          are canceled. Then the workspace is gone. Published posts stay on the platforms.
        </Trans>
      </p>
      <Field label={t`Name of the workspace`} value={name} onChange={setName} />
      <Actions>
        <Button look="danger" isDisabled={name.trim() === ''} onPress={() => setAsking(true)}>
          <Trans>Erase the workspace</Trans>
        </Button>
      </Actions>
      <Confirm
        title={t`Erase the workspace ${{ name: name.trim() }} for good?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        action={t`Erase the workspace`}
        isPending={erase.isPending}
        onConfirm={() => erase.mutate(undefined)}
      >
        <p>
          <Trans>You will be signed out within moments. This cannot be undone.</Trans>
        </p>
      </Confirm>
    </Form>
  )
}
