import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import type { Test } from 'tap'
import { cancelDelivery, queueDelivery } from '../../commands/delivery.ts'
import { handle, load } from '../../commands/handle.ts'
import { webhookSecrets, type WebhookSecrets } from '../../infra/postgres/webhook-secrets.ts'
import {
  delivery,
  isQueued,
  type DeliveryEvent,
  type DeliveryState,
  type LiveDelivery,
} from '../../domain/webhook/delivery.ts'
import { bodyOf as deliveryBody, type PublicEventName } from '../../domain/webhook/public-event.ts'
import { webhook, type WebhookEvent } from '../../domain/webhook/webhook.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { bodyOf, httpServer, type Listening } from './outbound-servers.ts'
import { ids } from './sandbox.ts'
import { causedBy, vaultOf, type World } from './world.ts'

/** What came to a receiver. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly path: string
  /** By the world's clock, ms since the epoch. */
  readonly at: number
}

export interface Receiver extends Listening {
  readonly received: readonly Received[]
  /** How it answers from now on; 204 unless told otherwise. `nth` counts from 1. */
  answer: (response: ServerResponse, nth: number) => void
}

export function status(code: number, headers: Readonly<Record<string, string>> = {}): Receiver['answer'] {
  return (response) => void response.writeHead(code, headers).end()
}

export async function givenReceiver(t: Test, world: Pick<World, 'clock'>, answer = status(204)): Promise<Receiver> {
  const received: Received[] = []
  const listener: RequestListener = async (request, response) => {
    const { headers, url: path = '' } = request
    received.push({ headers, body: await bodyOf(request), path, at: world.clock.now() })
    receiver.answer(response, received.length)
  }
  const receiver: Receiver = { ...(await httpServer(t, listener)), received, answer }
  return receiver
}

/** A webhook of the world's workspace, as if it had been registered over the API. */
export interface Registered {
  readonly id: string
  readonly secret: string
  readonly secrets: WebhookSecrets
  /** Queues the delivery of one event; returns its id. */
  queue(): Promise<string>
  /** Deletes it, and its secret. */
  remove(): Promise<void>
}

export async function givenWebhook(
  world: World,
  url: string,
  events: readonly PublicEventName[] = ['post.published'],
): Promise<Registered> {
  const id = resourceId('wh', ids.ulid())
  const { workspaceId } = world
  const secrets = webhookSecrets(vaultOf(world))
  const put = (name: string, event: WebhookEvent) =>
    handle(world, webhook, id, causedBy(`${id} ${name}`), () => [event])
  const data = { workspaceId, url, events: [...events] } satisfies Extract<
    WebhookEvent,
    { type: 'WebhookRegistered' }
  >['data']
  const secret = await secrets.create(workspaceId, id)
  await put('registered', { type: 'WebhookRegistered', data })
  return {
    id,
    secret,
    secrets,
    queue: async () => {
      const deliveryId = resourceId('dlv', ids.ulid())
      const event = { id: `evt_${ids.ulid()}`, event: 'post.published', createdAt: new Date(0).toISOString() } as const
      const body = deliveryBody({
        ...event,
        data: { runId: 'post_1', results: {}, okCount: 1, total: 1, name: 'Zoë ✓' },
      })
      const content = { workspaceId, webhookId: id, eventId: event.id, event: event.event, body }
      await decide(world, deliveryId, (state) => queueDelivery(state, content))
      return deliveryId
    },
    remove: async () => {
      await put('deleted', { type: 'WebhookDeleted', data: {} })
      await secrets.remove(id)
    },
  }
}

/** A command upon a delivery. */
export async function decide(
  world: Pick<World, 'log' | 'clock'>,
  id: string,
  decision: (state: DeliveryState) => readonly DeliveryEvent[],
): Promise<DeliveryState> {
  return (await handle(world, delivery, id, causedBy(ids.token()), decision)).state
}

export const cancel = (world: World, id: string) => decide(world, id, cancelDelivery)

export async function deliveryOf(world: Pick<World, 'log'>, id: string): Promise<LiveDelivery> {
  const state = await load(world.log, delivery, id)
  if (!isQueued(state)) throw new Error(`there is no delivery ${id}`)
  return state
}

/** What its last event says, with the event's type. */
export async function lastEvent(world: Pick<World, 'log'>, id: string): Promise<object> {
  const last = (await world.log.read(`delivery-${id}`)).at(-1)
  return { type: last?.type, at: last?.metadata.at, ...last?.data }
}

/** @throws Error when the message is not genuine, or older than 5 minutes by the clock on the wall */
export function verifyStandardWebhook(secret: string, body: string, headers: IncomingHttpHeaders): void {
  new Webhook(secret).verify(
    body,
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  )
}
