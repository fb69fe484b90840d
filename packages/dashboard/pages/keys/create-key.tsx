import { useState, type FormEvent } from 'react'
import { CheckboxGroup, Form, Label } from 'react-aria-components'
import { useChange, useSession } from '../../client/queries.ts'
import { sessionApi, type Budgets } from '../../client/session-api.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Dialog } from '../../parts/dialogs.tsx'
import { Checkbox, Field } from '../../parts/fields.tsx'
import { BudgetFields, budgetsIn } from './budget-fields.tsx'
import { UndoChoice } from '../../parts/undo-choice.tsx'
import { Problem } from '../../parts/shown.tsx'

const SCOPES: Readonly<Record<string, string>> = {
  'accounts:read': 'see connected accounts',
  'posts:read': 'see posts and what became of them',
  'posts:propose': 'write posts for a person to approve',
  'posts:write': 'publish, schedule, retry',
  'approvals:write': 'comment on posts that await approval',
  'approvals:decide': 'approve and reject posts, and publish without approval',
  'analytics:read': 'see numbers',
  'comments:read': 'see comments and drafts',
  'comments:write': 'reply, approve, dismiss',
  'credits:read': 'see the balance',
  'videos:read': 'see videos',
  'videos:write': 'make videos, spend credits',
  'webhooks:read': 'see webhooks and deliveries',
  'webhooks:write': 'register and delete webhooks',
  'rss:read': 'see feeds',
  'rss:write': 'change feeds',
  'recycling:read': 'see recycling rules',
  'recycling:write': 'change recycling rules',
  'users:read': 'see the team',
  'users:write': 'invite, change and remove authors, reviewers and readers',
  'erasures:read': 'see what was erased, and what could be',
  'erasures:write': 'erase personal data for good',
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
    <Dialog title="Create an API key" isOpen={isOpen} onClose={onClose}>
      <Form onSubmit={submit}>
        {create.error && <Problem error={create.error} />}
        <Field label="Label" name="label" autoFocus hint="What the key is for." />
        <CheckboxGroup className="picker" value={[...scopes]} onChange={setScopes}>
          <Label>Scopes</Label>
          <Actions>
            <Button small onPress={() => setScopes(names)}>
              All
            </Button>
            <Button small onPress={() => setScopes(names.filter((scope) => scope.endsWith(':read')))}>
              Read only
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
            Create key
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
