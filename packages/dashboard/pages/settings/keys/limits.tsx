import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useChange } from '../../../client/queries.ts'
import { sessionApi, type Budgets, type Key } from '../../../client/session-api.ts'
import { Actions, Button } from '../../../parts/buttons.tsx'
import { Dialog } from '../../../parts/dialogs.tsx'
import { Problem } from '../../../parts/shown.tsx'
import { BudgetFields, budgetsIn } from './budget-fields.tsx'
import { UndoChoice } from '../../../parts/undo-choice.tsx'

/** Changes what a key is held to. */
export function Limits({ apiKey, name }: { readonly apiKey: Key; readonly name: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button small aria-label={t`Limits of ${name}`} onPress={() => setOpen(true)}>
        <Trans>Limits</Trans>
      </Button>
      <Dialog title={t`Limits of ${name}`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Change apiKey={apiKey} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function Change({ apiKey, onDone }: { readonly apiKey: Key; readonly onDone: () => void }) {
  const [undoSeconds, setUndo] = useState(apiKey.undoSeconds)
  const save = useChange({
    change: (budgets: Budgets) => sessionApi.changeKey(apiKey.id, { undoSeconds, budgets }),
    touches: ['key'],
    done: t`Saved.`,
    onDone,
    showsProblem: true,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate(budgetsIn(new FormData(event.currentTarget)))
  }
  return (
    <Form onSubmit={submit}>
      {save.error && <Problem error={save.error} />}
      <BudgetFields scopes={apiKey.scopes} budgets={apiKey.budgets} />
      {apiKey.scopes.includes('posts:write') && <UndoChoice value={undoSeconds} onChange={setUndo} inWorkspace />}
      <Actions>
        <Button look="main" type="submit" isPending={save.isPending}>
          <Trans>Save</Trans>
        </Button>
      </Actions>
    </Form>
  )
}
