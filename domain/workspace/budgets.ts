import * as z from 'zod'

/** What an API key can use up on a day of the workspace: posts and replies that it makes, credits, and US dollars. */
export const BUDGETS = ['posts', 'replies', 'credits', 'usd'] as const
export type Budget = (typeof BUDGETS)[number]

const MOST = 1_000_000
const COUNT = { error: `must be a whole number from 0 to ${MOST}` }
const AMOUNT = { error: `must be 0 to ${MOST}` }
const count = z.int(COUNT).min(0, COUNT).max(MOST, COUNT).optional()

/** By day. What is absent has no limit. */
export const budgets = z.object({
  posts: count,
  replies: count,
  credits: count,
  usd: z.number(AMOUNT).min(0, AMOUNT).max(MOST, AMOUNT).optional(),
})
export type Budgets = Readonly<z.infer<typeof budgets>>

/** From this share on, answers warn. */
const WARNED_FROM = 0.8

/** In what is counted: dollars in millionths, so that sums are exact. */
export function unitsOf(budget: Budget, amount: number): number {
  return budget === 'usd' ? Math.round(amount * 1e6) : amount
}

/** The reverse of `unitsOf`. */
export function amountOf(budget: Budget, units: number): number {
  return budget === 'usd' ? units / 1e6 : units
}

/** For people: `20 posts`, `$5.00`. */
export function budgetInWords(budget: Budget, amount: number): string {
  if (budget === 'usd') return `$${amount.toFixed(6).replace(/0{1,4}$/, '')}`
  const [one, many] = budget === 'replies' ? ['reply', 'replies'] : [budget.slice(0, -1), budget]
  return `${amount} ${amount === 1 ? one : many}`
}

export function isNearlyUsed(limit: number, used: number): boolean {
  return used >= limit * WARNED_FROM
}
