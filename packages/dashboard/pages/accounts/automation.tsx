import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useChange } from '../../client/queries.ts'
import { sessionApi, type AutomationMode, type AutomationSetting } from '../../client/session-api.ts'
import type { Account } from '../../client/types.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Dialog } from '../../parts/dialogs.tsx'
import { Choice, Field } from '../../parts/fields.tsx'
import { Loading, Problem } from '../../parts/shown.tsx'

const MODES: readonly { readonly value: AutomationMode; readonly label: string }[] = [
  { value: 'off', label: t`Do nothing` },
  { value: 'review', label: t`Draft a reply for my approval` },
  { value: 'auto', label: t`Reply automatically` },
]
/** Longer instructions are refused. */
const LONGEST_INSTRUCTION = 2_000

/** What happens with new comments on an account. */
export function Automation({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const { id, label } = account
  const set = useQuery({
    queryKey: ['account', id, 'automation'],
    queryFn: () => sessionApi.automation(id),
    // Always load the current setting, so that the form does not overwrite a newer one.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <Dialog title={t`New comments on ${label}`} isOpen onClose={onClose}>
      {set.isPending && <Loading lines={3} />}
      {set.error && <Problem error={set.error} onRetry={() => void set.refetch()} />}
      {set.data && <Setting id={id} before={set.data} onDone={onClose} />}
    </Dialog>
  )
}

function Setting(props: { readonly id: string; readonly before: AutomationSetting; readonly onDone: () => void }) {
  const { id, before, onDone } = props
  const [mode, setMode] = useState(before.mode)
  const [instruction, setInstruction] = useState(before.instruction)
  const save = useChange({
    change: () => sessionApi.automate(id, { mode, instruction: instruction.trim() }),
    touches: ['account'],
    done: t`Automation saved.`,
    onDone,
    showsProblem: true,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(undefined)
  }
  return (
    <Form onSubmit={submit}>
      {save.error && <Problem error={save.error} />}
      <Choice
        label={t`When a new comment arrives`}
        value={mode}
        options={MODES}
        onChange={(value) => setMode(value as AutomationMode)}
      />
      {mode !== 'off' && (
        <Field
          label={t`Instruction for the AI`}
          rows={6}
          maxLength={LONGEST_INSTRUCTION}
          value={instruction}
          onChange={setInstruction}
          hint={t`Tone of voice, what to offer, topics to avoid.`}
        />
      )}
      <Actions>
        <Button look="main" type="submit" isPending={save.isPending}>
          <Trans>Save</Trans>
        </Button>
      </Actions>
    </Form>
  )
}
