import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type FormEvent } from 'react'
import { CheckboxGroup, Form, Label } from 'react-aria-components'
import { useChange, useSession } from '../../../client/queries.ts'
import { sessionApi, type Budgets } from '../../../client/session-api.ts'
import { Actions, Button } from '../../../parts/buttons.tsx'
import { Dialog } from '../../../parts/dialogs.tsx'
import { Checkbox, Field } from '../../../parts/fields.tsx'
import { BudgetFields, budgetsIn } from './budget-fields.tsx'
import { UndoChoice } from '../../../parts/undo-choice.tsx'
import { Problem } from '../../../parts/shown.tsx'

/** In words. */
export const SCOPES: Readonly<Record<string, string>> = {
  'accounts:read': t`see connected accounts`,
  'posts:read': t`see posts and what became of them`,
  'posts:propose': t`write posts for a person to approve`,
  'posts:write': t`publish, schedule, retry`,
  'approvals:write': t`comment on posts that await approval`,
  'approvals:decide': t`approve and reject posts, and publish without approval`,
  'analytics:read': t`see numbers`,
  'comments:read': t`see comments and drafts`,
  'comments:write': t`reply, approve, dismiss`,
  'credits:read': t`see the balance`,
  'videos:read': t`see videos`,
  'videos:write': t`make videos, spend credits`,
  'webhooks:read': t`see webhooks and deliveries`,
  'webhooks:write': t`register and delete webhooks`,
  'rss:read': t`see feeds`,
  'rss:write': t`change feeds`,
  'recycling:read': t`see recycling rules`,
  'recycling:write': t`change recycling rules`,
  'users:read': t`see the team`,
  'users:write': t`invite, change and remove authors, reviewers and readers`,
  'erasures:read': t`see what was erased, and what could be`,
  'erasures:write': t`erase personal data for good`,
}

export function CreateKey(props: {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onCreated: (key: string) => void
}) {
  const { isOpen, onClose, onCreated } = props
  const { permissions } = useSession()
  // No key may do more than the user who makes it.
  const offered = Object.entries(SCOPES).filter(([scope]) => permissions.includes(scope))
  const names = offered.map(([scope]) => scope)
  const [scopes, setScopes] = useState<readonly string[]>([])
  const [undoSeconds, setUndo] = useState<number | null>(null)
  const publishes = scopes.includes('posts:write')
  const create = useChange({
    change: ({ label, budgets }: { readonly label: string; readonly budgets: Budgets }) =>
      sessionApi.createKey({
        ...{ ...(label && { label }), scopes, budgets },
        ...(publishes && undoSeconds !== null && { undoSeconds }),
      }),
    touches: ['key'],
    onDone: ({ key }) => onCreated(key),
    showsProblem: true,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    create.mutate({ label: String(fields.get('label') ?? '').trim(), budgets: budgetsIn(fields) })
  }
  return (
    <Dialog title={t`Create an API key`} isOpen={isOpen} onClose={onClose}>
      <Form onSubmit={submit}>
        {create.error && <Problem error={create.error} />}
        <Field label={t`Label`} name="label" autoFocus hint={t`What the key is for.`} />
        <CheckboxGroup className="picker" value={[...scopes]} onChange={setScopes}>
          <Label>
            <Trans>Scopes</Trans>
          </Label>
          <Actions>
            <Button small onPress={() => setScopes(names)}>
              <Trans context="scopes">All</Trans>
            </Button>
            <Button small onPress={() => setScopes(names.filter((scope) => scope.endsWith(':read')))}>
              <Trans>Read only</Trans>
            </Button>
          </Actions>
          <div className="picker-list">
            {offered.map(([scope, meaning]) => (
              <Checkbox key={scope} value={scope}>
                <span className="code">{scope}</span> <span className="hint">{meaning}</span>
              </Checkbox>
            ))}
          </div>
        </CheckboxGroup>
        <BudgetFields scopes={scopes} budgets={{}} />
        {publishes && <UndoChoice value={undoSeconds} onChange={setUndo} inWorkspace />}
        <Actions>
          <Button look="main" type="submit" isPending={create.isPending} isDisabled={scopes.length === 0}>
            <Trans>Create key</Trans>
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
