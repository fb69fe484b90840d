import {
  BEGIN_WITHIN_MS,
  cancelDelivery,
  isPending,
  recordAttempt,
  startAttempt,
  underWayUntil,
  type AttemptResult,
} from '../../commands/delivery.ts'
import { handlePatiently } from '../../commands/handle-patiently.ts'
import { handle, loaded, type Cause, type CommandDeps, type Loaded } from '../../commands/handle.ts'
import { Superseded } from '../../commands/superseded.ts'
import type { WebhookSecrets } from '../../infra/postgres/webhook-secrets.ts'
import { delivery, type DeliveryState, type LiveDelivery } from '../../domain/webhook/delivery.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { isActive } from '../../domain/webhook/webhook.ts'
import type { Http } from '../../infra/http/http.ts'
import { attempt, type Attempted } from './deliver/attempt.ts'
import { webhookStates } from './deliver/webhook-states.ts'
import { DONE, park, type Reactor } from '../runtime/reactor.ts'
import { webhookHeaders } from './webhook-signature.ts'

export interface DeliverDeps extends CommandDeps {
  readonly http: Http
  readonly secrets: Pick<WebhookSecrets, 'signing' | 'remove'>
  /** The retry delays, ms. */
  readonly delaysMs: readonly number[]
  readonly headerPrefix: string
}

/**
 * Makes one delivery attempt, and records its outcome. An attempt cut off by our own crash has no outcome and does not count: it
 * is made again under the same number, so a receiver may get a delivery twice, always with the same id.
 */
export function deliverReactor(deps: DeliverDeps): Reactor {
  const rests = unrecorded()
  const webhookOf = webhookStates(deps.log)
  return async ({ subject: id, token }, signal) => {
    const { log, clock, secrets } = deps
    const found = await loaded(log, delivery, id)
    const { state: seen } = found
    if (!isPending(seen)) return DONE
    const dueAt = Math.max(Date.parse(seen.dueAt), underWayUntil(seen), rests.endOf(id))
    // It rests, is in progress, the agenda lags behind the log, or the row was leased by a process whose clock is ahead.
    if (dueAt > clock.now()) return park(dueAt)

    // Read the secrets before the webhook: they are removed after it is deleted, so if none are left, the deletion is visible.
    const signing = await secrets.signing(seen.webhookId, clock.now())
    const receiver = await webhookOf(seen.webhookId)
    if (!isActive(receiver)) {
      // The request that deleted the webhook may have been cut off before it removed the secrets.
      await secrets.remove(seen.webhookId)
      await handle(deps, delivery, id, causedBy(id, derivedId(token, 'cancel')), cancelDelivery)
      return DONE
    }
    const claim = await claimed(deps, id, { ...found, state: seen }, token)
    if (!claim) return park(clock.now() + CLAIM_AGAIN_MS)
    const { state: begun } = claim
    const { result, letGo } =
      signing.length === 0 ? UNSIGNED : await send(deps, id, begun, receiver.url, signing, signal)
    const now = clock.now()
    const cause = causedBy(id, derivedId(token, 'attempt'))
    const record = (state: DeliveryState) => recordAttempt(state, { id, begun }, result, deps.delaysMs, now)
    try {
      await handlePatiently(deps, delivery, id, cause, record, signal, claim)
    } catch (error) {
      if (!signal.aborted) rests.begin(id, clock.now())
      throw error
    } finally {
      // Another delivery to the receiver may start now; it must not add a connection to this one.
      letGo()
    }
    return DONE
  }
}

/** Delay (ms) before a worker that was too late, or too slow, looks again. */
const CLAIM_AGAIN_MS = 1_000

/**
 * Claims the attempt to be made now and returns its delivery; undefined if, since it was read, another worker claimed it or a
 * redelivery was requested. The first attempt needs no claim: being the first identifies it.
 */
async function claimed(
  deps: CommandDeps,
  id: string,
  seen: Loaded<LiveDelivery>,
  token: string,
): Promise<Loaded<LiveDelivery> | undefined> {
  if (seen.state.attempts === 0) return seen
  const cause = causedBy(id, derivedId(token, 'start'))
  try {
    const known: Loaded<DeliveryState> = seen
    const claim = (state: DeliveryState) => startAttempt(state, seen.state)
    const { state, revision } = await handle(deps, delivery, id, cause, claim, { known })
    const isInTime = isPending(state) && deps.clock.now() <= Date.parse(state.startedAt ?? '') + BEGIN_WITHIN_MS
    return isInTime ? { state, revision } : undefined
  } catch (error) {
    if (error instanceof Superseded) return undefined
    throw error
  }
}

/** How long (ms) a delivery that was sent, but cannot be recorded, is not sent again. */
const REST_MS = 3_600_000

/** Deliveries whose outcome the log has rejected: the receiver must not get them over and over because of our fault. */
function unrecorded() {
  const ends = new Map<string, number>()
  return {
    begin: (id: string, now: number): void => {
      for (const [other, end] of ends) if (end <= now) ends.delete(other)
      ends.set(id, now + REST_MS)
    },
    endOf: (id: string): number => ends.get(id) ?? 0,
  }
}

const NO_SECRET: AttemptResult = {
  ...{ ok: false, statusCode: null, durationMs: 0 },
  error: 'The webhook no longer has a secret to sign with: delete it and register it again',
}
/** Nothing is sent without a signature. */
const UNSIGNED: Attempted = { result: NO_SECRET, letGo: () => undefined }

function send(
  { http, clock, headerPrefix }: DeliverDeps,
  id: string,
  { event, body }: LiveDelivery,
  url: string,
  signing: readonly string[],
  signal: AbortSignal,
): Promise<Attempted> {
  const headers = webhookHeaders({ id, event, body, sentAt: clock.now() }, signing, headerPrefix)
  return attempt({ url, headers, body }, { http, clock, signal })
}

function causedBy(id: string, commandId: string): Cause {
  return { commandId, actor: { kind: 'reactor', id: 'deliver' }, correlationId: id }
}
