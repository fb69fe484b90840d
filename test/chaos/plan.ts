import { chance, type Chance } from './chance.ts'
import { HALF_OPEN, PARTITION, type Weather } from './fault-proxy.ts'

export const SERVICES = ['api', 'projections', 'reactors 1', 'reactors 2'] as const
export type ServiceName = (typeof SERVICES)[number]
export const SERVERS = ['postgres', 'nats', 'eventstoredb'] as const
export type ServerName = (typeof SERVERS)[number]
export type VictimName = ServiceName | ServerName

/** Something that goes wrong at a moment. `at` and `lastsMs` in ms, the one since the beginning. */
export type Fault = { readonly at: number; readonly lastsMs: number } & (
  | { readonly kind: 'pause'; readonly victim: VictimName }
  | {
      readonly kind: 'kill'
      readonly victim: VictimName
      readonly wiped?: true
      /** How far (ms) a process that is starting has come, where there is no other that may be killed in time. */
      readonly startedFor: number
      /** Nobody else is killed in its place. */
      readonly only?: true
    }
  | { readonly kind: 'network'; readonly name: NetworkFault; readonly victim: ServiceName; readonly server: ServerName }
)

export const NETWORK_FAULTS = ['latency', 'reset', 'half-open', 'drip', 'partition'] as const
export type NetworkFault = (typeof NETWORK_FAULTS)[number]

/** As often as they are named. */
const KILLED: readonly [VictimName, ...VictimName[]] = [
  ...(['api', 'projections', 'reactors 1', 'reactors 2'] as const),
  ...(['projections', 'reactors 1', 'reactors 2', 'postgres', 'nats', 'nats', 'eventstoredb', 'eventstoredb'] as const),
]
/** Each of them once before chance decides: the workers first, as what they leave is waited for. */
const FIRST: readonly VictimName[] = [...SERVICES.toReversed(), ...SERVERS]
const PAUSED: readonly [VictimName, ...VictimName[]] = [...SERVICES, ...SERVERS]
/** Of those pauses of a worker that outlast its leases: it wakes up and does not know that its work is another's. */
const LONGER_THAN_A_LEASE_MS = 33_000
const LONG_PAUSE_EVERY = 12

export interface PlanOptions {
  readonly seed: number
  readonly ms: number
  readonly kills: number
  readonly pauses: number
  readonly networkFaults: number
  /** Those that are there. */
  readonly servers: readonly ServerName[]
}

/** What goes wrong, in order. It follows from the options alone. */
export function plan({ seed, ms, kills, pauses, networkFaults, servers }: PlanOptions): readonly Fault[] {
  const random = chance(seed)
  const isThere = (victim: VictimName) => !SERVERS.some((server) => server === victim && !servers.includes(server))
  const first = FIRST.filter(isThere)
  const killed = [KILLED[0], ...KILLED.slice(1).filter(isThere)] as const
  const paused = [PAUSED[0], ...PAUSED.slice(1).filter(isThere)] as const
  const spread = (count: number, faultAt: (at: number, nth: number) => Fault) =>
    Array.from({ length: count }, (_, nth) => faultAt(((nth + random.next()) / count) * ms, nth))
  const faults = [
    ...spread(kills, (at, nth) => kill(random, at, first[nth] ?? random.pick(killed), nth < first.length)),
    ...spread(pauses, (at, nth) => pause(random, at, nth, ms, paused)),
    ...spread(networkFaults, (at, nth) => network(random, at, nth, ms, servers)),
  ]
  return faults.toSorted((one, other) => one.at - other.at)
}

function kill(random: Chance, at: number, victim: VictimName, only: boolean): Fault {
  const wiped = victim === 'nats' && random.next() < 0.5
  const startedFor = random.between(0, 1_500)
  return {
    kind: 'kill',
    at,
    victim,
    lastsMs: random.between(0, 1_500),
    startedFor,
    ...(wiped && { wiped }),
    ...(only && { only }),
  }
}

function pause(
  random: Chance,
  at: number,
  nth: number,
  ms: number,
  paused: readonly [VictimName, ...VictimName[]],
): Fault {
  const isLong = nth % LONG_PAUSE_EVERY === LONG_PAUSE_EVERY - 1 && at + LONGER_THAN_A_LEASE_MS < ms
  const victim = isLong ? random.pick(['reactors 1', 'reactors 2'] as const) : random.pick(paused)
  return { kind: 'pause', at, victim, lastsMs: isLong ? LONGER_THAN_A_LEASE_MS : random.between(300, 5_000) }
}

function network(random: Chance, at: number, nth: number, ms: number, servers: readonly ServerName[]): Fault {
  const name = NETWORK_FAULTS[nth % NETWORK_FAULTS.length] ?? 'reset'
  const server = serverOf(random.next(), servers)
  const longest = Math.min(30_000, ms / 10)
  const lastsMs = name === 'reset' ? 0 : random.between(Math.min(2_000, longest), longest)
  // The API has no work that is spread.
  const victim = random.pick(server === 'nats' ? (['reactors 1', 'reactors 2'] as const) : SERVICES)
  return { kind: 'network', name, at, victim, server, lastsMs }
}

/** Three of four are those without which nothing can be written. */
function serverOf(share: number, servers: readonly ServerName[]): ServerName {
  if (share >= 0.75 && servers.includes('nats')) return 'nats'
  return share >= 0.375 && servers.includes('eventstoredb') ? 'eventstoredb' : 'postgres'
}

/** @param random decides how bad it is */
export function weatherOf(name: Exclude<NetworkFault, 'reset'>, random: Chance): Weather {
  switch (name) {
    case 'latency':
      return { delayMs: random.pick([20, 100, 500, 2_000, 5_000] as const) }
    case 'half-open':
      return HALF_OPEN
    case 'drip':
      return { bytesPerSecond: 1 }
    case 'partition':
      return PARTITION
  }
}
