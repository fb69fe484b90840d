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
  /** The retry ladder, ms. */
  readonly delaysMs: readonly number[]
  readonly headerPrefix: string
}

/**
 * Makes one attempt to deliver, and puts down what it came to. Cut off by our own death it has no outcome and counts for
 * nothing: it is made again under the same number, so a receiver may get a delivery twice, always with the same id.
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
    // It rests, is under way, the agenda is behind the log, or the row was leased by a clock that is ahead of this one.
    if (dueAt > clock.now()) return park(dueAt)

    // Before the webhook: its secrets go once it is deleted, so that none are left means that this can be seen.
    const signing = await secrets.signing(seen.webhookId, clock.now())
    const receiver = await webhookOf(seen.webhookId)
    if (!isActive(receiver)) {
      // The request that deleted it may have been cut off before it came to that.
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
      // From now on another delivery may be on its way to the receiver: it is not to have one connection more.
      letGo()
    }
    return DONE
  }
}

/** Who came too late, or was too slow, looks again after this time (ms). */
const CLAIM_AGAIN_MS = 1_000

/**
 * The delivery with the attempt claimed that is to be made now; undefined when somebody else has it, or asked for it anew, since
 * it was seen. The first attempt is told from all others by being the first.
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

/** How long (ms) what was sent, but can't be put down, is not sent again. */
const REST_MS = 3_600_000

/** Deliveries whose outcome the log has refused, a fault of ours: the receiver must not get them over and over for that. */
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
  error: 'The webhook has no secret any more to sign with: delete it and register it anew',
}
/** Nothing leaves without a signature. */
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
