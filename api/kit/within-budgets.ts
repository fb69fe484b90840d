import { Refusal } from '../../domain/core/errors.ts'
import { dayOf, timeWithOffset } from '../../domain/post/wall-time.ts'
import {
  amountOf,
  BUDGETS,
  budgetInWords,
  isNearlyUsed,
  unitsOf,
  type Budget,
  type Budgets,
} from '../../domain/workspace/budgets.ts'
import { giveBack, OverBudget, takeOf, type Wish } from '../../infra/postgres/key-spending.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { findSlots } from '../../projections/models/workspaces.ts'
import type { RouteRequest } from '../http/route.ts'
import type { Services } from './services.ts'

type Deps = Pick<Services, 'db' | 'clock'>
type Request = Pick<RouteRequest<unknown, unknown, unknown>, 'caller' | 'warn'>

/** The day on which budgets count now, in the zone of the workspace, and when the next one begins. */
export async function budgetDay({ db, clock }: Deps, workspaceId: string) {
  const timezone = (await findSlots(db, workspaceId))?.timezone ?? 'UTC'
  const { date: day, endsAt: renewsAt } = dayOf(isoTime(clock.now()), timezone)
  return { day, renewsAt, timezone }
}

/**
 * Runs what uses up budgets of the caller's key, if they are enough. The last of a budget goes to one of two requests at once.
 * A crash in between leaves it used: a repeat takes no more.
 *
 * @param subject what it is used for, the same for every repeat
 * @param amounts in whole units, as `unitsOf` returns them; asked for only if the key has such a budget
 * @throws Refusal resource_exhausted naming the budget, and what `run` throws
 */
export async function withinBudgets<T>(
  deps: Deps,
  { caller, warn }: Request,
  subject: string,
  amounts: Readonly<Partial<Record<Budget, () => number | Promise<number>>>>,
  run: () => Promise<T>,
): Promise<T> {
  const wishes = await wishesOf(caller.budgets ?? {}, amounts)
  if (wishes.length === 0) return run()
  const { db, clock } = deps
  const { workspaceId, actor } = caller
  const { day, renewsAt, timezone } = await budgetDay(deps, workspaceId)
  const renews = `It renews at ${timeWithOffset(renewsAt, timezone)}.`
  const now = clock.now()
  const spender = { keyId: actor.id, workspaceId, day }
  const taken = await takeOf(db, spender, subject, wishes, isoTime(now)).catch((error: unknown) => {
    if (!(error instanceof OverBudget)) throw error
    const retryAfterS = Math.ceil((Date.parse(renewsAt) - now) / 1000)
    throw new Refusal('resource_exhausted', `${exhausted(error)} ${renews}`, { retryAfterS })
  })
  try {
    const result = await run()
    for (const { budget, limit, used } of taken) {
      if (isNearlyUsed(limit, used)) warn(`${share(budget as Budget, limit, used)} ${renews}`)
    }
    return result
  } catch (error) {
    // After any other error, it may have been done.
    if (error instanceof Refusal)
      await giveBack(
        db,
        actor.id,
        subject,
        wishes.map(({ budget }) => budget),
      )
    throw error
  }
}

async function wishesOf(budgets: Budgets, amounts: Parameters<typeof withinBudgets>[3]): Promise<readonly Wish[]> {
  const wishes: Wish[] = []
  for (const budget of BUDGETS) {
    const limit = budgets[budget]
    const amount = limit === undefined ? 0 : ((await amounts[budget]?.()) ?? 0)
    if (limit !== undefined && amount > 0) wishes.push({ budget, amount, limit: unitsOf(budget, limit) })
  }
  return wishes
}

function exhausted({ wish: { budget, amount, limit }, used }: OverBudget): string {
  const [of, more] = [words(budget, limit), words(budget, amount)]
  return `The daily budget of this key is ${of}, and ${words(budget, used)} are used: this takes ${more} more.`
}

function share(budget: Budget, limit: number, used: number): string {
  return `This key has used ${words(budget, used)} of its daily budget of ${words(budget, limit)}.`
}

function words(budget: string, units: number): string {
  return budgetInWords(budget as Budget, amountOf(budget as Budget, units))
}
