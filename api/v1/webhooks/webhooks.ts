import * as z from 'zod'
import { Refusal } from '../../../domain/core/errors.ts'
import { text } from '../../../domain/core/text.ts'
import { webhook, type WebhookState } from '../../../domain/webhook/webhook.ts'
import { load } from '../../../commands/handle.ts'
import { deleteWebhook, mustBeThere, registerWebhook, rotateSecret } from '../../../commands/webhook.ts'
import { ROTATION_MS } from '../../../infra/postgres/webhook-secrets.ts'
import { newestFirst } from '../../../projections/engine/newest-first.ts'
import { webhooks, type WebhookRow } from '../../../projections/models/webhooks.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { resourceId } from '../../../infra/runtime/ids.ts'
import { asItWas } from '../../kit/as-it-was.ts'
import { decider } from '../../kit/decide.ts'
import { atQuery } from '../history/history-schemas.ts'
import { listRoute } from '../../kit/list-route.ts'
import { shown } from '../../kit/shown.ts'
import { ownWebhook } from '../../kit/own-webhook.ts'
import { route, type AnyRoute } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'
import { registeredSchema, registerWebhookBody, rotatedSchema, webhookSchema } from './webhook-schemas.ts'

const TAG = 'Webhooks'
const idParams = z.object({ id: text(100) })

/** Webhooks, which receive events (api-spec §4, Webhooks; decisions, "Webhooks"). */
export function webhookRoutes(services: Services): readonly AnyRoute[] {
  const { db, log, clock, webhookSecrets, refuseAddress } = services

  const decide = decider(services, webhook)
  const mustBeReachable = async (url: string) => {
    const refusal = await refuseAddress(url)
    if (refusal !== undefined) throw new Refusal('invalid_request', `url cannot receive deliveries: ${refusal}`)
  }
  /** The webhook was deleted in the meantime, or the vault was lost. */
  const withoutSecret = async (id: string): Promise<never> => {
    mustBeThere(await load(log, webhook, id))
    throw new Refusal('failed_precondition', 'The webhook no longer has a secret. Delete it and register it again.')
  }
  const present = (row: WebhookRow, at = isoTime(clock.now())): z.infer<typeof webhookSchema> => {
    const { previousSecretUntil: until } = row
    return shown(webhookSchema, { ...row, previousSecretUntil: until !== null && until > at ? until : undefined })
  }

  return [
    route({
      method: 'POST',
      path: '/webhooks',
      operationId: 'registerWebhook',
      summary: 'Register a webhook for events',
      description:
        'The secret that verifies deliveries is returned only once. The URL must be one that the service ' +
        'may reach: not in a private network, unless the operator allows it.',
      mayConflict: true,
      tag: TAG,
      scope: 'webhooks:write',
      body: registerWebhookBody,
      idempotent: true,
      confidential: true,
      answer: { status: 200, description: 'Registered. The secret is shown only once.', schema: registeredSchema },
      handle: async (request) => {
        const { workspaceId } = request.caller
        const id = resourceId('wh', request.work)
        const command = { ...request.body, workspaceId }
        const decision = (state: WebhookState) => registerWebhook(state, command)
        const before = await load(log, webhook, id)
        // An interrupted request may already have registered it.
        if (before.status === 'absent') await mustBeReachable(command.url)
        return services.ceilings.adding('webhooks', { workspaceId, id }, async () => {
          decision(before)
          // Stored before the event, so that every delivery finds a secret, and after every check that can refuse the request.
          const secret = await webhookSecrets.create(workspaceId, id)
          const { url, events, registeredAt } = mustBeThere(await decide(request, id, decision))
          return { status: 200, body: { id, url, events, secret, createdAt: registeredAt } }
        })
      },
    }),

    listRoute(services, {
      path: '/webhooks',
      operationId: 'listWebhooks',
      summary: 'List webhooks, newest first',
      description: 'Without their secrets.',
      tag: TAG,
      scope: 'webhooks:read',
      plural: 'webhooks',
      item: webhookSchema,
      fetch: (page) => newestFirst(db, webhooks, page),
      present: (row) => present(row),
      place: ({ createdAt: at, id }) => ({ at, id }),
    }),

    route({
      method: 'GET',
      path: '/webhooks/{id}',
      operationId: 'getWebhook',
      summary: 'Get one webhook',
      tag: TAG,
      scope: 'webhooks:read',
      params: idParams,
      query: atQuery,
      answer: { status: 200, description: 'The webhook, without its secret.', schema: webhookSchema },
      handle: async ({ params, query: { at }, caller }) => {
        const of = { projection: webhooks, kind: webhook, noun: 'webhook' }
        const row = await asItWas(services, of, await ownWebhook(services, params.id, caller), at)
        return { status: 200, body: present(row, at) }
      },
    }),

    route({
      method: 'DELETE',
      path: '/webhooks/{id}',
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'Pending deliveries are cancelled.',
      tag: TAG,
      scope: 'webhooks:write',
      params: idParams,
      answer: { status: 204, description: 'Deleted. Nothing more is delivered to it.' },
      handle: async (request) => {
        const { id } = request.params
        // An interrupted request may have left the secret behind.
        if ((await load(log, webhook, id)).status === 'deleted') await webhookSecrets.remove(id)
        await ownWebhook(services, id, request.caller)
        await decide(request, id, deleteWebhook)
        await webhookSecrets.remove(id)
        return { status: 204 }
      },
    }),

    route({
      method: 'POST',
      path: '/webhooks/{id}/rotate-secret',
      operationId: 'rotateWebhookSecret',
      summary: 'Rotate the secret of a webhook; the previous one still signs for 24 hours',
      description: 'The new secret is returned only once.',
      effect: 'overwrites',
      mayConflict: true,
      tag: TAG,
      scope: 'webhooks:write',
      params: idParams,
      idempotent: true,
      confidential: true,
      answer: { status: 200, description: 'The new secret, shown only once.', schema: rotatedSchema },
      handle: async (request) => {
        const { id } = request.params
        await ownWebhook(services, id, request.caller)
        mustBeThere(await load(log, webhook, id))
        const now = clock.now()
        if ((await webhookSecrets.prepare(id, request.work, now)) === undefined) return withoutSecret(id)
        // The new secret becomes current only once the event is in the log; until then a repeat gets the prepared one.
        const previousUntil = isoTime(now + ROTATION_MS)
        await decide(request, id, (state) => rotateSecret(state, previousUntil))
        const rotated = await webhookSecrets.complete(id, request.work, now)
        if (!rotated) return withoutSecret(id)
        return { status: 200, body: { id, secret: rotated.secret, previousSecretUntil: rotated.previousUntil } }
      },
    }),
  ]
}
