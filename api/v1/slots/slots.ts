import { setSlots } from '../../../commands/set-slots.ts'
import type { Due } from '../../../domain/post/post.ts'
import { NO_SLOTS, tidyPlan } from '../../../domain/core/slot-plan.ts'
import { hasSlots } from '../../../domain/post/slots.ts'
import { workspace } from '../../../domain/workspace/workspace.ts'
import { connectedAccounts, findAccount } from '../../../projections/models/accounts.ts'
import { findSlots } from '../../../projections/models/workspaces.ts'
import { route, type AnyRoute, type Caller } from '../../http/route.ts'
import { decider } from '../../kit/decide.ts'
import { owned } from '../../kit/owned.ts'
import type { Services } from '../../kit/services.ts'
import { freeSlots } from './next-slot.ts'
import { nextSlotsQuery, nextSlotsSchema, slotsBody, slotsSchema } from './slot-schemas.ts'

/** The times of the week at which a workspace posts. */
export function slotRoutes(services: Services): readonly AnyRoute[] {
  const { db } = services
  const decide = decider(services, workspace)

  const accountsOf = async (
    { platforms = [], accountIds = [] }: { platforms?: string[] | undefined; accountIds?: string[] | undefined },
    caller: Caller,
  ) => {
    const named = await Promise.all(accountIds.map(async (id) => owned(await findAccount(db, id), caller, 'account')))
    const connected = accountIds.length > 0 ? [] : await connectedAccounts(db, caller.workspaceId)
    const isAsked = (platform: string) => platforms.length === 0 || platforms.includes(platform)
    const accounts = [...named, ...connected.filter(({ platform }) => isAsked(platform))]
    const keys = new Set([...platforms, ...accounts.map(({ platform }) => platform)])
    const idsOf = (key: string) => accounts.filter(({ platform }) => platform === key).map(({ id }) => id)
    return Object.fromEntries([...keys].map((key) => [key, idsOf(key)]))
  }

  return [
    route({
      method: 'GET',
      path: '/slots',
      operationId: 'getSlots',
      summary: 'Get the slots of the workspace',
      description: 'The times of the week for scheduledFor: "next-slot". Empty if none were set.',
      tag: 'Slots',
      scope: 'posts:read',
      answer: { status: 200, description: 'The slots, sorted.', schema: slotsSchema },
      handle: async ({ caller }) => ({ status: 200, body: (await findSlots(db, caller.workspaceId)) ?? NO_SLOTS }),
    }),

    route({
      method: 'PUT',
      path: '/slots',
      operationId: 'setSlots',
      summary: 'Set the slots of the workspace',
      description:
        'Replaces all of them. A platform in platforms has only its own slots; the others have the default ones. Posts ' +
        'that are already scheduled keep their times.',
      tag: 'Slots',
      scope: 'posts:write',
      body: slotsBody,
      answer: { status: 200, description: 'The slots, sorted and without doubles.', schema: slotsSchema },
      handle: async (request) => {
        const plan = tidyPlan(request.body)
        await decide(request, request.caller.workspaceId, (state) => setSlots(state, plan))
        return { status: 200, body: plan }
      },
    }),

    route({
      method: 'GET',
      path: '/slots/next',
      operationId: 'listNextSlots',
      summary: 'List the next free slots',
      description:
        'The times that scheduledFor: "next-slot" would choose, soonest first: slots of every platform at which none of ' +
        'the accounts has a scheduled post. They are not reserved.',
      tag: 'Slots',
      scope: 'posts:read',
      query: nextSlotsQuery,
      answer: { status: 200, description: 'At most limit times within a year.', schema: nextSlotsSchema },
      handle: async ({ query: { limit, postId: id, from = '', to, ...of }, caller }) => {
        const selections = await accountsOf(of, caller)
        if (!hasSlots(await findSlots(db, caller.workspaceId))) return { status: 200, body: { slots: [] } }
        const free = await freeSlots(services, { workspaceId: caller.workspaceId, selections, id })
        const slots: object[] = []
        for (const due of free) {
          if (to !== undefined && due.dueAt >= to) break
          if (due.dueAt < from) continue
          slots.push(presentSlot(due))
          if (slots.length === limit) break
        }
        return { status: 200, body: { slots } }
      },
    }),
  ]
}

function presentSlot({ dueAt, ...local }: Due) {
  return { scheduledAtUtc: dueAt, ...local }
}
