import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Budgets } from '../../../client/session-api.ts'
import { Field } from '../../../parts/fields.tsx'
import { dollars } from '../../../parts/money.ts'

type Budget = keyof Budgets

/** Each with the scopes that use it up. */
const FIELDS: readonly {
  readonly budget: Budget
  readonly label: string
  readonly used: (used: number, of: number) => string
  readonly scopes: readonly string[]
}[] = [
  {
    budget: 'posts',
    label: t`Posts a day`,
    used: (used, of) => t`${used} of ${of} posts`,
    scopes: ['posts:write', 'posts:propose'],
  },
  {
    budget: 'replies',
    label: t`Replies a day`,
    used: (used, of) => t`${used} of ${of} replies`,
    scopes: ['comments:write'],
  },
  {
    budget: 'credits',
    label: t`Credits a day`,
    used: (used, of) => t`${used} of ${of} credits`,
    scopes: ['videos:write'],
  },
  {
    budget: 'usd',
    label: t`US dollars a day`,
    used: (used, of) => t`${{ used: dollars(used) }} of ${{ of: dollars(of) }}`,
    scopes: ['posts:write', 'posts:propose', 'comments:write'],
  },
]

/** Whether a key with these scopes can use up anything. */
export function hasBudgets(scopes: readonly string[]): boolean {
  return FIELDS.some((field) => field.scopes.some((scope) => scopes.includes(scope)))
}

export function BudgetFields({ scopes, budgets }: { readonly scopes: readonly string[]; readonly budgets: Budgets }) {
  const shown = FIELDS.filter((field) => field.scopes.some((scope) => scopes.includes(scope)))
  if (shown.length === 0) return null
  return (
    <div className="picker" role="group" aria-label={t`Daily budgets`}>
      <span className="legend">
        <Trans>Daily budgets</Trans>
      </span>
      <p className="hint">
        <Trans>Leave a field empty for no limit. A day is that of the time zone of your slots.</Trans>
      </p>
      <div className="picker-list">
        {shown.map(({ budget, label }) => (
          <Field
            key={budget}
            label={label}
            name={budget}
            type="number"
            min={0}
            step={budget === 'usd' ? 'any' : 1}
            defaultValue={budgets[budget] === undefined ? '' : String(budgets[budget])}
          />
        ))}
      </div>
    </div>
  )
}

/** What was entered. */
export function budgetsIn(fields: FormData): Budgets {
  const entered = FIELDS.flatMap(({ budget }) => {
    const value = fields.get(budget)
    return typeof value === 'string' && value !== '' ? [[budget, Number(value)]] : []
  })
  return Object.fromEntries(entered) as Budgets
}

/** What was used of the budgets today; undefined if there are none. */
export function usedInWords(budgets: Budgets, used: Budgets): string | undefined {
  const parts = FIELDS.flatMap(({ budget, used: inWords }) => {
    const limit = budgets[budget]
    return limit === undefined ? [] : [inWords(used[budget] ?? 0, limit)]
  })
  return parts.length === 0 ? undefined : t`Used today: ${{ list: parts.join(', ') }}.`
}
