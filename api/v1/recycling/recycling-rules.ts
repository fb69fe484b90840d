import * as z from 'zod'
import { post } from '../../../domain/post/post.ts'
import { recyclingRule } from '../../../domain/recycling/recycling-rule.ts'
import { text } from '../../../domain/core/text.ts'
import { load } from '../../../commands/handle.ts'
import { addRule, changeRule, deleteRule, requestTurn } from '../../../commands/recycling-rule.ts'
import { mustBeRecyclable, publishedOn } from '../../../commands/recycling-source.ts'
import { newestFirst } from '../../../projections/engine/newest-first.ts'
import {
  findRecyclingRule,
  recyclingRules,
  type RecyclingRuleRow,
} from '../../../projections/models/recycling-rules.ts'
import { resourceId } from '../../../infra/runtime/ids.ts'
import { asItWas } from '../../kit/as-it-was.ts'
import { decider } from '../../kit/decide.ts'
import { atQuery } from '../history/history-schemas.ts'
import { listRoute } from '../../kit/list-route.ts'
import { addRecyclingRuleBody, changeRecyclingRuleBody, recyclingRuleSchema } from './recycling-schemas.ts'
import { owned } from '../../kit/owned.ts'
import { route, type AnyRoute, type Caller } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'
import { shown } from '../../kit/shown.ts'
import { presentState, type ShownRule } from './present-rule.ts'

const TAG = 'Recycling rules'
const idParams = z.object({ id: text(100) })

/** Rules that republish a post at an interval of days (api-spec §4, Recycling rules; decisions, "RSS and recycling"). */
export function recyclingRoutes(services: Services): readonly AnyRoute[] {
  const { db, log, clock } = services

  const ownRow = async (id: string, caller: Caller): Promise<RecyclingRuleRow> =>
    owned(await findRecyclingRule(db, id), caller, 'recycling rule')
  const own = async (id: string, caller: Caller): Promise<ShownRule> =>
    shown(recyclingRuleSchema, await ownRow(id, caller))
  const decide = decider(services, recyclingRule)

  return [
    route({
      method: 'POST',
      path: '/recycling-rules',
      operationId: 'addRecyclingRule',
      summary: 'Republish a published post every N days',
      description:
        'The source post must be published. Without selections, it is republished on the accounts that it ' +
        'succeeded on. The first repost comes after intervalDays. With rewriteCaption, the AI writes a new caption ' +
        'each time.',
      mayConflict: true,
      tag: TAG,
      scope: 'recycling:write',
      body: addRecyclingRuleBody,
      idempotent: true,
      answer: { status: 200, description: 'Added. The first interval starts now.', schema: recyclingRuleSchema },
      handle: async (request) => {
        const { workspaceId } = request.caller
        const id = resourceId('rule', request.work)
        const source = mustBeRecyclable(await load(log, post, request.body.sourcePostId), workspaceId)
        const { selections = publishedOn(source), ...settings } = request.body
        const command = { ...settings, selections, workspaceId }
        const state = await services.ceilings.adding('rules', { workspaceId, id }, () =>
          decide(request, id, (state) => addRule(state, command, clock.now())),
        )
        return { status: 200, body: presentState(id, state) }
      },
    }),

    listRoute(services, {
      path: '/recycling-rules',
      operationId: 'listRecyclingRules',
      summary: 'List recycling rules, newest first',
      description: 'With the time of the last and the next repost of each.',
      tag: TAG,
      scope: 'recycling:read',
      plural: 'rules',
      item: recyclingRuleSchema,
      fetch: (page) => newestFirst(db, recyclingRules, page),
      present: (row) => shown(recyclingRuleSchema, row),
      place: ({ createdAt: at, id }) => ({ at, id }),
    }),

    route({
      method: 'POST',
      path: '/recycling-rules/{id}/run-now',
      operationId: 'runRecyclingRuleNow',
      summary: 'Republish the post of a rule now',
      description: 'The post is published within seconds.',
      reachesOut: true,
      mayConflict: true,
      tag: TAG,
      scope: 'recycling:write',
      params: idParams,
      idempotent: true,
      answer: { status: 200, description: 'The post is recycled within seconds.', schema: recyclingRuleSchema },
      handle: async (request) => {
        const { id } = request.params
        await own(id, request.caller)
        const state = await decide(request, id, (state) => requestTurn(state, clock.now()))
        return { status: 200, body: presentState(id, state) }
      },
    }),

    route({
      method: 'GET',
      path: '/recycling-rules/{id}',
      operationId: 'getRecyclingRule',
      summary: 'Get one recycling rule',
      description: 'With the time of its last and next repost.',
      tag: TAG,
      scope: 'recycling:read',
      params: idParams,
      query: atQuery,
      answer: { status: 200, description: 'The rule.', schema: recyclingRuleSchema },
      handle: async ({ params: { id }, query: { at }, caller }) => {
        const of = { projection: recyclingRules, kind: recyclingRule, noun: 'recycling rule' }
        return {
          status: 200,
          body: shown(recyclingRuleSchema, await asItWas(services, of, await ownRow(id, caller), at)),
        }
      },
    }),

    route({
      method: 'PATCH',
      path: '/recycling-rules/{id}',
      operationId: 'changeRecyclingRule',
      summary: 'Change, pause or resume a recycling rule',
      description: 'Only the given fields change. Set active to false to pause the rule.',
      tag: TAG,
      scope: 'recycling:write',
      params: idParams,
      body: changeRecyclingRuleBody,
      answer: { status: 200, description: 'The updated rule.', schema: recyclingRuleSchema },
      handle: async (request) => {
        const { id } = request.params
        await own(id, request.caller)
        const state = await decide(request, id, (state) => changeRule(state, request.body))
        return { status: 200, body: presentState(id, state) }
      },
    }),

    route({
      method: 'DELETE',
      path: '/recycling-rules/{id}',
      operationId: 'deleteRecyclingRule',
      summary: 'Delete a recycling rule',
      description: 'The rule no longer recycles anything. Existing posts are kept.',
      tag: TAG,
      scope: 'recycling:write',
      params: idParams,
      answer: { status: 204, description: 'Deleted. The rule no longer recycles anything.' },
      handle: async (request) => {
        const { id } = request.params
        await own(id, request.caller)
        await decide(request, id, deleteRule)
        return { status: 204 }
      },
    }),
  ]
}
