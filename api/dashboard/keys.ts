import * as z from 'zod'
import { Refusal } from '../../domain/core/errors.ts'
import { apiKey } from '../../domain/workspace/api-key.ts'
import { SCOPES } from '../../domain/core/scope.ts'
import { text } from '../../domain/core/text.ts'
import { createApiKey } from '../../commands/create-api-key.ts'
import { revokeApiKey } from '../../commands/revoke-api-key.ts'
import { apiKeys, findApiKey } from '../../projections/models/api-keys.ts'
import { newestFirst } from '../../projections/engine/newest-first.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
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
  createdAt: z.iso.datetime(),
  revokedAt: z.iso.datetime().nullable(),
})
const createBody = z.object({
  label: text(100).default(''),
  scopes: scopes.min(1, { error: 'must name at least one scope' }).transform((names) => [...new Set(names)]),
})

export function keyRoutes(services: DashboardServices): readonly AnyRoute[] {
  const { db } = services
  const decide = decider(services, apiKey)
  return [
    listRoute(services, {
      path: '/keys',
      operationId: 'listKeys',
      summary: 'List the API keys of the workspace, newest first',
      tag: TAG,
      scope: 'keys:read',
      plural: 'keys',
      item: keySchema,
      fetch: (page) => newestFirst(db, apiKeys, page),
      present: ({ id, label, scopes, createdAt, revokedAt }) => ({
        ...{ id, label, scopes, createdAt, revokedAt },
      }),
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
        const beyond = request.body.scopes.filter((scope) => !own.includes(scope))
        if (beyond.length > 0) {
          throw new Refusal(
            'insufficient_scope',
            `Your role does not have ${beyond.join(', ')}, so its keys cannot either.`,
          )
        }
        const id = resourceId('key', request.work)
        const { raw, secretHash } = apiKeyFormat.generate(id)
        await services.ceilings.adding('keys', { workspaceId, id }, () =>
          decide(request, id, (state) => createApiKey(state, { workspaceId, ...request.body, secretHash })),
        )
        return { status: 201, body: { id, key: raw, ...request.body } }
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
