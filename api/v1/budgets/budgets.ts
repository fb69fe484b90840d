import * as z from 'zod'
import { amountOf, BUDGETS, type Budget } from '../../../domain/workspace/budgets.ts'
import { usedBy } from '../../../infra/postgres/key-spending.ts'
import { route, type AnyRoute } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'
import { budgetDay } from '../../kit/within-budgets.ts'

const EXAMPLE_BUDGET = { budget: 'posts' as const, limit: 20, used: 18, left: 2 }

const budgetsSchema = z.object({
  budgets: z
    .array(
      z
        .object({
          budget: z.enum(BUDGETS).describe('usd: what platforms charge for posts and replies, in US dollars.'),
          limit: z.number().describe('For each day.'),
          used: z.number().describe('Today.'),
          left: z.number(),
        })
        .meta({ id: 'Budget', examples: [EXAMPLE_BUDGET] }),
    )
    .describe('Those that the key has. Empty for a user.'),
  renewsAt: z.iso.datetime().describe('When the next day of the workspace begins.'),
})

/** What a key may still use today. */
export function budgetRoutes(services: Services): readonly AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/budgets',
      operationId: 'getBudgets',
      summary: 'Get what is left of the daily budgets of this key',
      description:
        'A request that needs more than is left is refused with resource_exhausted. From 80 % on, warnings in the answers say ' +
        'what is used. The day is that of the time zone of the slots, or UTC.',
      tag: 'Accounts',
      scope: 'posts:read',
      answer: { status: 200, description: 'The budgets.', schema: budgetsSchema },
      handle: async ({ caller }) => {
        const { day, renewsAt } = await budgetDay(services, caller.workspaceId)
        const used = (await usedBy(services.db, [caller.actor.id], day)).get(caller.actor.id)
        const budgets = BUDGETS.flatMap((budget) => {
          const limit = caller.budgets?.[budget]
          return limit === undefined ? [] : [leftOf(budget, limit, used?.get(budget) ?? 0)]
        })
        return { status: 200, body: { budgets, renewsAt } }
      },
    }),
  ]
}

function leftOf(budget: Budget, limit: number, units: number) {
  const used = amountOf(budget, units)
  return { budget, limit, used, left: Math.max(0, Number((limit - used).toFixed(6))) }
}
