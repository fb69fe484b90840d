import { deliveryId } from '../../../domain/webhook/delivery.ts'
import { faultsOfAttempt, type Attempt } from '../../support/hostile-receivers.ts'
import type { Evidence, Hook, Outage, ToldEvent } from '../evidence.ts'
import { grouped, type Rule } from './rule.ts'

/** Pauses (ms) between attempts, as the harness sets them. */
export const LADDER_MS = [200, 300, 400, 500, 700, 1_000] as const
const MOST_ATTEMPTS = LADDER_MS.length + 1
/** What is cut off is made again when a lease has ended and the claim is surely over. */
const CLAIMED_FOR_MS = 45_000

/** Whatever keeps a worker from writing down what came of an attempt. */
const cutsOff = ({ victim, server }: Outage) =>
  victim.startsWith('reactors') ? server !== 'nats' : victim === 'postgres' || victim === 'eventstoredb'

export const deliveriesComplete: Rule = {
  name: 'each webhook has one delivery of each event that it subscribed to, and it ends as its receiver responds',
  broken: ({ hooks, told }) =>
    hooks.flatMap((hook) => {
      const shown = grouped(hook.deliveries, ({ id }) => id)
      const wanted = told.filter(({ event }) => hook.events.includes(event)).map(({ id }) => deliveryId(id, hook.id))
      const isWanted = new Set(wanted)
      return [
        ...wanted.filter((id) => !shown.has(id)).map((id) => `${id} is missing`),
        ...[...shown].filter(([id, all]) => !isWanted.has(id) || all.length > 1).map(([id]) => `${id} is one too many`),
        ...hook.deliveries
          .filter(({ status }) => status !== hook.ends)
          .map(({ id, status }) => `${id} is ${status}, not ${hook.ends}`),
      ]
    }),
}

export const attemptsGenuine: Rule = {
  name: 'each attempt sends the signed bytes of its event',
  broken: ({ hooks, told }) => {
    const events = new Map(told.map((event) => [event.id, event]))
    return hooks.flatMap((hook) => {
      const eventOf = new Map(hook.deliveries.map(({ id, eventId }) => [id, events.get(eventId)]))
      return hook.attempts.flatMap((attempt) => wrongWith(attempt, hook, eventOf.get(attempt.id)))
    })
  },
}

function wrongWith(attempt: Attempt, { secret }: Hook, event: ToldEvent | undefined): readonly string[] {
  if (!event) return [`${attempt.id} arrived, but is not a delivery of the webhook`]
  // Cut off while it was sent.
  if (attempt.body === undefined) return []
  const { id, event: name, createdAt, data } = event
  const body = JSON.stringify({ id, event: name, createdAt, data })
  return faultsOfAttempt(attempt, { secret, body }).map((fault) => `${attempt.id}: ${fault}`)
}

export const attemptsCounted: Rule = {
  name: 'a delivery is sent again only by the retry schedule, or if a fault cut an attempt off',
  broken: ({ hooks, outages }) => {
    const cuts = outages.filter(cutsOff)
    return hooks.flatMap((hook) => {
      const came = grouped(hook.attempts, ({ id }) => id)
      return hook.deliveries.flatMap(({ id, attempts, status }) =>
        faultsOf(came.get(id) ?? [], { attempts, status, cuts }).map((fault) => `${id}: ${fault}`),
      )
    })
  },
}

interface Seen {
  readonly attempts: number
  readonly status: string
  readonly cuts: readonly Outage[]
}

function faultsOf(came: readonly Attempt[], { attempts, status, cuts }: Seen): readonly string[] {
  const faults: string[] = []
  const must = (holds: boolean, what: string) => void (holds || faults.push(what))
  const cutIn = (begin: number, end: number) => cuts.some(({ from, to }) => to >= begin && from <= end)
  const [first, last] = [came[0], came.at(-1)]
  const wasCut = first !== undefined && last !== undefined && cutIn(first.beganAt - CLAIMED_FOR_MS, last.beganAt)
  must(status !== 'failed' || attempts === MOST_ATTEMPTS, `it failed after ${attempts} attempts`)
  must(came.length >= attempts, `${attempts} attempts were counted, but ${came.length} arrived`)
  must(
    came.length === attempts || wasCut,
    `${attempts} attempts were counted, but ${came.length} arrived, with no fault nearby`,
  )
  must(
    came.some(isTaken) === (status === 'delivered'),
    `it is ${status}, and was ${came.some(isTaken) ? '' : 'not '}accepted`,
  )
  for (const [index, attempt] of came.entries()) {
    const next = came[index + 1]
    if (!next || cutIn(attempt.beganAt, next.beganAt)) continue
    must(!isTaken(attempt), 'it was sent again after it was accepted, with no fault in between')
    must((attempt.endedAt ?? Infinity) <= next.beganAt, 'it was sent twice at once, with no fault in between')
    if (!wasCut)
      must(next.beganAt - attempt.beganAt >= (LADDER_MS[index] ?? Infinity), `attempt ${index + 2} came too soon`)
  }
  return faults
}

const isTaken = ({ status = 0 }: Attempt) => status >= 200 && status <= 299

/** How many attempts were made again because a fault had cut them off. */
export function madeAgain({ hooks }: Evidence): number {
  return hooks.reduce(
    (sum, { attempts, deliveries }) =>
      sum + attempts.length - deliveries.reduce((sum, { attempts }) => sum + attempts, 0),
    0,
  )
}
