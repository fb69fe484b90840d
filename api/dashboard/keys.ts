import * as z from 'zod'
import { Refusal } from '../../domain/core/errors.ts'
import { apiKey } from '../../domain/workspace/api-key.ts'
import { SCOPES } from '../../domain/core/scope.ts'
import { amountOf, BUDGETS, budgets, type Budgets } from '../../domain/workspace/budgets.ts'
import { undoSeconds } from '../../domain/workspace/undo.ts'
import { text } from '../../domain/core/text.ts'
import { createApiKey } from '../../commands/create-api-key.ts'
import { setBudgets } from '../../commands/set-budgets.ts'
import { setKeyUndo } from '../../commands/set-undo.ts'
import { revokeApiKey } from '../../commands/revoke-api-key.ts'
import { apiKeys, findApiKey, type ApiKeyRow } from '../../projections/models/api-keys.ts'
import { listUsers } from '../../projections/models/users.ts'
import { newestFirst } from '../../projections/engine/newest-first.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { budgetDay } from '../kit/within-budgets.ts'
import { usedBy } from '../../infra/postgres/key-spending.ts'
import { decider } from '../kit/decide.ts'
import { apiKeyFormat } from '../../infra/runtime/key-format.ts'
import { listRoute } from '../kit/list-route.ts'
import { owned } from '../kit/owned.ts'
import { route, type AnyRoute } from '../http/route.ts'
import type { DashboardServices } from './services.ts'

const TAG = 'API keys'
const scopes = z.array(z.enum(SCOPES, { error: `must be one of ${SCOPES.join(', ')}` }))
const keySchema = z.object({
  id: z.string(),
  label: z.string(),
  scopes,
  undoSeconds: undoSeconds.nullable().describe('null: as in the workspace.'),
  budgets: budgets.describe('For each day.'),
  usedToday: budgets.describe('Of these budgets.'),
  createdAt: z.iso.datetime(),
  revokedAt: z.iso.datetime().nullable(),
  app: z
    .object({ host: z.string(), allowedBy: z.string() })
    .nullable()
    .describe('Of an app that somebody has let in with OAuth.'),
})
const createBody = z.object({
  label: text(100).default(''),
  undoSeconds: undoSeconds.optional(),
  budgets: budgets.optional(),
  scopes: scopes.min(1, { error: 'must name at least one scope' }).transform((names) => [...new Set(names)]),
})

const changeBody = z.object({
  undoSeconds: undoSeconds.nullable().optional().describe('null: as in the workspace.'),
  budgets: budgets.optional().describe('In place of all that were set. Without any, there is no limit.'),
})
interface UsedKey extends ApiKeyRow {
  readonly usedToday: Budgets
  readonly allowedBy: string
}

function presentKey({ client, allowedBy, ...key }: UsedKey) {
  const { id, label, scopes, undoSeconds, budgets, usedToday, createdAt, revokedAt } = key
  const app = client && { host: client.host, allowedBy }
  return { id, label, scopes, undoSeconds, budgets, usedToday, createdAt, revokedAt, app }
}

export function keyRoutes(services: DashboardServices): readonly AnyRoute[] {
  const { db } = services
  const decide = decider(services, apiKey)
  /** With what was used of the budgets that the keys have, and who allowed apps. */
  const withUse = async (keys: readonly ApiKeyRow[], workspaceId: string): Promise<readonly UsedKey[]> => {
    const { day } = await budgetDay(services, workspaceId)
    const used = await usedBy(
      db,
      keys.map(({ id }) => id),
      day,
    )
    const users = keys.some(({ client }) => client) ? await listUsers(db, workspaceId) : []
    return keys.map((key) => {
      const allowedBy = users.find(({ id }) => id === key.madeBy)?.name ?? ''
      const has = BUDGETS.filter((budget) => key.budgets[budget] !== undefined)
      const amounts = has.map((budget) => [budget, amountOf(budget, used.get(key.id)?.get(budget) ?? 0)])
      return { ...key, allowedBy, usedToday: Object.fromEntries(amounts) as Budgets }
    })
  }
  return [
    listRoute(services, {
      path: '/keys',
      operationId: 'listKeys',
      summary: 'List the API keys of the workspace, newest first',
      tag: TAG,
      scope: 'keys:read',
      plural: 'keys',
      item: keySchema,
      fetch: async (page) => withUse(await newestFirst(db, apiKeys, page), page.workspaceId),
      present: presentKey,
      place: ({ createdAt: at, id }) => ({ at, id }),
    }),

    // No Idempotency-Key: a repeat creates another key, because the first one's secret is not stored.
    route({
      method: 'POST',
      path: '/keys',
      operationId: 'createKey',
      summary: 'Create an API key',
      mayConflict: true,
      tag: TAG,
      scope: 'keys:write',
      body: createBody,
      answer: {
        status: 201,
        description: 'The key is shown only once.',
        schema: z.object({ id: z.string(), key: z.string(), label: z.string(), scopes }),
      },
      handle: async (request) => {
        const { workspaceId, scopes: own } = request.caller
        const { label, scopes, ...limits } = request.body
        const beyond = scopes.filter((scope) => !own.includes(scope))
        if (beyond.length > 0) {
          throw new Refusal(
            'insufficient_scope',
            `Your role does not have ${beyond.join(', ')}, so its keys cannot either.`,
          )
        }
        const id = resourceId('key', request.work)
        const { raw, secretHash } = apiKeyFormat.generate(id)
        await services.ceilings.adding('keys', { workspaceId, id }, () =>
          decide(request, id, (state) => createApiKey(state, { workspaceId, label, scopes, secretHash }, limits)),
        )
        return { status: 201, body: { id, key: raw, label, scopes } }
      },
    }),

    route({
      method: 'PATCH',
      path: '/keys/{id}',
      operationId: 'changeKey',
      summary: 'Change what an API key is held to',
      description: 'It applies within seconds.',
      tag: TAG,
      scope: 'keys:write',
      params: z.object({ id: text(100) }),
      body: changeBody,
      answer: { status: 200, description: 'The key.', schema: keySchema },
      handle: async (request) => {
        const { id } = request.params
        const { undoSeconds, budgets } = request.body
        owned(await findApiKey(db, id), request.caller, 'API key')
        await decide(request, id, (state) => [
          ...(undoSeconds === undefined ? [] : setKeyUndo(state, undoSeconds ?? undefined)),
          ...(budgets === undefined ? [] : setBudgets(state, budgets)),
        ])
        const changed = owned(await findApiKey(db, id), request.caller, 'API key')
        const [key] = await withUse([changed], changed.workspaceId)
        return { status: 200, body: presentKey(key ?? { ...changed, usedToday: {}, allowedBy: '' }) }
      },
    }),

    route({
      method: 'DELETE',
      path: '/keys/{id}',
      operationId: 'revokeKey',
      summary: 'Revoke an API key',
      tag: TAG,
      scope: 'keys:write',
      params: z.object({ id: text(100) }),
      answer: { status: 204, description: 'It stops working everywhere within seconds.' },
      handle: async (request) => {
        const { id } = request.params
        owned(await findApiKey(db, id), request.caller, 'API key')
        await decide(request, id, revokeApiKey)
        return { status: 204 }
      },
    }),
  ]
}
