import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useChange } from '../../client/queries.ts'
import { sessionApi, type AutomationMode } from '../../client/session-api.ts'
import type { Account } from '../../client/types.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Dialog } from '../../parts/dialogs.tsx'
import { Choice, Field } from '../../parts/fields.tsx'
import { Problem } from '../../parts/shown.tsx'

const MODES: readonly { readonly value: AutomationMode; readonly label: string }[] = [
  { value: 'off', label: 'Do nothing' },
  { value: 'review', label: 'Draft an answer, and let me approve it' },
  { value: 'auto', label: 'Answer at once' },
]

/** What is done about new comments on an account. */
export function Automation(props: {
  readonly account: Account
  readonly isOpen: boolean
  readonly onClose: () => void
}) {
  const { account, isOpen, onClose } = props
  const [mode, setMode] = useState<AutomationMode>(account.automation)
  const [instruction, setInstruction] = useState('')
  const save = useChange({
    change: () => sessionApi.automate(account.id, mode, instruction),
    touches: ['account'],
    done: 'The automation is set.',
    onDone: onClose,
    showsProblem: true,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(undefined)
  }
  return (
    <Dialog title={`New comments on ${account.label}`} isOpen={isOpen} onClose={onClose}>
      <Form onSubmit={submit}>
        {save.error && <Problem error={save.error} />}
        <Choice
          label="When one comes in"
          value={mode}
          options={MODES}
          onChange={(value) => setMode(value as AutomationMode)}
        />
        {mode !== 'off' && (
          <Field
            label="Instruction for the AI"
            rows={4}
            value={instruction}
            onChange={setInstruction}
            hint="How to answer: tone, what to offer, what to leave alone. Empty: as it is now."
          />
        )}
        <Actions>
          <Button look="main" type="submit" isPending={save.isPending}>
            Save
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
