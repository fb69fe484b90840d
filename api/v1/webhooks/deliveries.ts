import * as z from 'zod'
import { delivery, deliveryId, isQueued, type DeliveryState } from '../../../domain/webhook/delivery.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { bodyOf } from '../../../domain/webhook/public-event.ts'
import { text } from '../../../domain/core/text.ts'
import { webhook } from '../../../domain/webhook/webhook.ts'
import { queueDelivery, requestResend } from '../../../commands/delivery.ts'
import { load } from '../../../commands/handle.ts'
import { mustBeThere } from '../../../commands/webhook.ts'
import { deliveries, findDelivery, listDeliveries } from '../../../projections/models/deliveries.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { resourceId } from '../../../infra/runtime/ids.ts'
import { asItWas } from '../../kit/as-it-was.ts'
import { decider } from '../../kit/decide.ts'
import { atQuery } from '../history/history-schemas.ts'
import { listRoute } from '../../kit/list-route.ts'
import { ownWebhook } from '../../kit/own-webhook.ts'
import { owned } from '../../kit/owned.ts'
import { route, type AnyRoute } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'
import { shown } from '../../kit/shown.ts'
import { presentState } from './present-delivery.ts'
import { deliveriesQuery, deliverySchema } from './webhook-schemas.ts'

const TAG = 'Webhooks'
const LIST = '/webhooks/{id}/deliveries'
const idParams = z.object({ id: text(100) })
const deliveryParams = z.object({ id: text(100), deliveryId: text(100) })

/** A webhook's past and pending deliveries (api-spec §3, Webhook delivery status). */
export function deliveryRoutes(services: Services): readonly AnyRoute[] {
  const { db, log, clock } = services

  const decide = decider(services, delivery)
  const current = async (id: string, state: DeliveryState) => presentState(id, state, await findDelivery(db, id))

  return [
    listRoute(services, {
      path: LIST,
      operationId: 'listDeliveries',
      summary: 'List the deliveries of a webhook, newest first',
      description: 'With the attempts so far, the last error, and the time of the next attempt.',
      tag: TAG,
      scope: 'webhooks:read',
      params: idParams,
      query: deliveriesQuery,
      of: ({ id }) => id,
      plural: 'deliveries',
      item: deliverySchema,
      fetch: async ({ limit, after }, { params: { id: webhookId }, query: { status }, caller }) => {
        await ownWebhook(services, webhookId, caller)
        return listDeliveries(db, { webhookId, status, limit, after })
      },
      present: (row) => shown(deliverySchema, row),
      place: ({ createdAt: at, id }) => ({ at, id }),
    }),

    route({
      method: 'GET',
      path: `${LIST}/{deliveryId}`,
      operationId: 'getDelivery',
      summary: 'Get one delivery of a webhook, with its attempts',
      tag: TAG,
      scope: 'webhooks:read',
      params: deliveryParams,
      query: atQuery,
      answer: { status: 200, description: 'The delivery.', schema: deliverySchema },
      handle: async ({ params: { id: webhookId, deliveryId: id }, query: { at }, caller }) => {
        await ownWebhook(services, webhookId, caller)
        const row = owned(await findDelivery(db, id), caller, 'delivery')
        if (row.webhookId !== webhookId) throw new Refusal('not_found', 'The webhook has no such delivery.')
        const of = { projection: deliveries, kind: delivery, noun: 'delivery' }
        return { status: 200, body: shown(deliverySchema, await asItWas(services, of, row, at)) }
      },
    }),

    route({
      method: 'POST',
      path: '/webhooks/{id}/test',
      operationId: 'testWebhook',
      summary: 'Send a `webhook.test` event to a webhook',
      description: 'It is signed and retried like any other event.',
      reachesOut: true,
      tag: TAG,
      scope: 'webhooks:write',
      params: idParams,
      idempotent: true,
      answer: { status: 200, description: 'The delivery, which is sent immediately.', schema: deliverySchema },
      handle: async (request) => {
        const { id: webhookId } = request.params
        const { workspaceId } = request.caller
        await ownWebhook(services, webhookId, request.caller)
        mustBeThere(await load(log, webhook, webhookId))
        const eventId = resourceId('evt', request.work)
        const event = 'webhook.test'
        const data = { webhookId, message: 'This is a test: the webhook works.' }
        const body = bodyOf({ id: eventId, event, createdAt: isoTime(clock.now()), data })
        const content = { workspaceId, webhookId, eventId, event, body } as const
        const id = deliveryId(eventId, webhookId)
        const state = await decide(request, id, (state) => queueDelivery(state, content))
        return { status: 200, body: await current(id, state) }
      },
    }),

    route({
      method: 'POST',
      path: `${LIST}/{deliveryId}/resend`,
      operationId: 'resendDelivery',
      summary: 'Send a delivery again, with all its retries',
      description: 'The body and its id stay the same: receivers that deduplicate by id will ignore it.',
      reachesOut: true,
      mayConflict: true,
      tag: TAG,
      scope: 'webhooks:write',
      params: deliveryParams,
      idempotent: true,
      answer: { status: 200, description: 'The delivery, which is sent immediately.', schema: deliverySchema },
      handle: async (request) => {
        const { id: webhookId, deliveryId: id } = request.params
        const { workspaceId } = request.caller
        await ownWebhook(services, webhookId, request.caller)
        const resend = (state: DeliveryState) => {
          if (!isQueued(state)) return requestResend(state)
          if (state.workspaceId !== workspaceId) {
            throw new Refusal('forbidden', 'This delivery belongs to someone else.')
          }
          if (state.webhookId !== webhookId) throw new Refusal('not_found', 'The webhook has no such delivery.')
          return requestResend(state)
        }
        return { status: 200, body: await current(id, await decide(request, id, resend)) }
      },
    }),
  ]
}
