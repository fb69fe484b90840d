import type { Budgets } from '../../client/session-api.ts'
import { Field } from '../../parts/fields.tsx'

type Budget = keyof Budgets

/** Each with the scopes that use it up. */
const FIELDS: readonly {
  readonly budget: Budget
  readonly label: string
  readonly scopes: readonly string[]
}[] = [
  { budget: 'posts', label: 'Posts a day', scopes: ['posts:write', 'posts:propose'] },
  { budget: 'replies', label: 'Replies a day', scopes: ['comments:write'] },
  { budget: 'credits', label: 'Credits a day', scopes: ['videos:write'] },
  { budget: 'usd', label: 'US dollars a day', scopes: ['posts:write', 'posts:propose', 'comments:write'] },
]

/** Whether a key with these scopes can use up anything. */
export function hasBudgets(scopes: readonly string[]): boolean {
  return FIELDS.some((field) => field.scopes.some((scope) => scopes.includes(scope)))
}

export function BudgetFields({ scopes, budgets }: { readonly scopes: readonly string[]; readonly budgets: Budgets }) {
  const shown = FIELDS.filter((field) => field.scopes.some((scope) => scopes.includes(scope)))
  if (shown.length === 0) return null
  return (
    <div className="picker" role="group" aria-label="Daily budgets">
      <span className="legend">Daily budgets</span>
      <p className="hint">Leave a field empty for no limit. A day is that of the time zone of your slots.</p>
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

function inWords(budget: Budget, amount: number, of: number): string {
  return budget === 'usd' ? `$${amount.toFixed(2)} of $${of.toFixed(2)}` : `${amount} of ${of} ${budget}`
}

/** What was used of the budgets today; undefined if there are none. */
export function usedInWords(budgets: Budgets, used: Budgets): string | undefined {
  const parts = FIELDS.flatMap(({ budget }) => {
    const limit = budgets[budget]
    return limit === undefined ? [] : [inWords(budget, used[budget] ?? 0, limit)]
  })
  return parts.length === 0 ? undefined : `Used today: ${parts.join(', ')}.`
}
