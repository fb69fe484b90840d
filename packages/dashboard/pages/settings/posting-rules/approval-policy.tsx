import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useApprovalPolicy, useChange, useSession } from '../../../client/queries.ts'
import { sessionApi } from '../../../client/session-api.ts'
import type { ApprovalPolicy as Policy, Selections } from '../../../client/types.ts'
import { AccountPicker } from '../../../parts/accounts.tsx'
import { Actions, Button } from '../../../parts/buttons.tsx'
import { Choice } from '../../../parts/fields.tsx'
import { Loading, Problem } from '../../../parts/shown.tsx'

const WHO: Readonly<Record<Policy['who'], { readonly label: string; readonly hint: string }>> = {
  nobody: { label: t`Nobody`, hint: t`Everybody who may write posts publishes them.` },
  authors: {
    label: t`Authors`,
    hint: t`Also API keys without the scope approvals:decide. Owners, managers and reviewers approve.`,
  },
  everyone: { label: t`Everyone`, hint: t`Nobody approves what they wrote themselves.` },
}
const WHERE = [
  { value: 'all', label: t`All accounts` },
  { value: 'some', label: t`Some accounts` },
] as const

/** Whose posts and replies need approval. */
export function ApprovalPolicy() {
  const policy = useApprovalPolicy()
  const mayChange = useSession().permissions.includes('users:write')
  if (policy.isPending) return <Loading lines={2} />
  if (policy.error) return <Problem error={policy.error} onRetry={() => void policy.refetch()} />
  const { who, accountIds } = policy.data
  if (!mayChange) {
    const { label, hint } = WHO[who]
    const where =
      accountIds && who !== 'nobody'
        ? plural({ count: accountIds.length }, { one: `${label}, on # account.`, other: `${label}, on # accounts.` })
        : `${label}.`
    return <p>{`${where} ${hint}`}</p>
  }
  return <Change key={JSON.stringify(policy.data)} policy={policy.data} />
}

function Change({ policy }: { readonly policy: Policy }) {
  const [who, setWho] = useState(policy.who)
  const [where, setWhere] = useState<string>(policy.accountIds ? 'some' : 'all')
  // Only the ids matter here.
  const [chosen, setChosen] = useState<Selections>({ '': [...(policy.accountIds ?? [])] })
  const accountIds = Object.values(chosen).flat()
  const save = useChange({
    change: (next: Policy) => sessionApi.setApprovalPolicy(next),
    touches: ['approval-policy'],
    done: t`Saved.`,
    showsProblem: true,
  })
  const isSome = where === 'some' && who !== 'nobody'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ who, ...(isSome && { accountIds }) })
  }
  return (
    <Form onSubmit={submit} className="stack">
      {save.error && <Problem error={save.error} />}
      <Choice
        label={t`Who needs approval`}
        value={who}
        options={Object.entries(WHO).map(([value, { label }]) => ({ value, label }))}
        onChange={(value) => setWho(value as Policy['who'])}
        hint={WHO[who].hint}
      />
      {who !== 'nobody' && <Choice label={t`For posts to`} value={where} options={WHERE} onChange={setWhere} />}
      {isSome && <AccountPicker label={t`Accounts`} value={chosen} onChange={setChosen} />}
      <Actions>
        <Button type="submit" isPending={save.isPending} isDisabled={isSome && accountIds.length === 0}>
          <Trans>Save</Trans>
        </Button>
      </Actions>
    </Form>
  )
}
