import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '../../infra/runtime/clock.ts'
import type { Chance } from './chance.ts'
import type { Outage } from './evidence.ts'
import { CALM, type FaultProxy } from './fault-proxy.ts'
import { SERVERS, SERVICES, weatherOf, type Fault, type ServiceName, type VictimName } from './plan.ts'
import type { ServiceVictim, Victim } from './victims.ts'

export interface Battlefield {
  readonly victims: Readonly<Partial<Record<VictimName, Victim>>>
  /** Those of them that start like a service. */
  readonly services: readonly (readonly [ServiceName, ServiceVictim])[]
  readonly networks: ReadonlyMap<string, FaultProxy>
}

/** How a plan is carried out. */
export interface Course {
  /** ms since the epoch. */
  readonly began: number
  isOver(): boolean
  /** Is called now and then. */
  tell(): void
}

const LOOK_EVERY_MS = 20
/** Of the four services; and one of the two servers. */
const MOST_DOWN = 2
/** A kill that has waited for so long hits what is starting, if not too much else may be down. */
const LATE_MS = 1_000
/** Then it is let come up, or nothing would ever work. */
const MOST_STARTS_CUT = 2

const isServer = (name: string) => SERVERS.some((server) => server === name)

type Kill = Extract<Fault, { kind: 'kill' }>

export const networkOf = (client: string, server: string) => `${client} to ${server}`

/** Sets the plan's faults upon the victims, each at its time, whatever became of those before. */
export function strikes({ victims, services, networks }: Battlefield, random: Chance) {
  const outages: Outage[] = []
  const underWay = new Set<Promise<void>>()
  const held = new Set<string>()
  /** How often the service has been killed since it last worked. */
  const cut = new Map<VictimName, number>()
  /** Whether too many of the sort are down by a kill: a service that is never up proves nothing. */
  const isFull = (wanted: VictimName) => {
    const down = outages.filter(
      ({ kind, to, victim }) => kind === 'kill' && to === Infinity && isServer(victim) === isServer(wanted),
    )
    return new Set(down.map(({ victim }) => victim)).size >= (isServer(wanted) ? 1 : MOST_DOWN)
  }

  const during = async (outage: Omit<Outage, 'from' | 'to'>, work: () => Promise<void>) => {
    const open: { -readonly [K in keyof Outage]: Outage[K] } = { ...outage, from: systemClock.now(), to: Infinity }
    outages.push(open)
    await work()
    open.to = systemClock.now()
  }

  /** One that is there and not held already: what is down is not killed again. */
  const standing = (wanted: VictimName): readonly [VictimName, Victim] | undefined => {
    // Least of all the one without which nothing can be asked.
    const all: readonly VictimName[] = [wanted, ...SERVICES.toReversed(), ...SERVERS]
    for (const name of all) {
      const victim = victims[name]
      if (victim?.alive() && !held.has(name)) return [name, victim]
    }
    return undefined
  }

  /** One that is starting, and has come as far as the fault wants. */
  const starting = ({ startedFor }: Kill) =>
    // The API, without which nothing can be asked, is the last to be looked at.
    services.toReversed().find(([name, victim]) => {
      const since = victim.startingSince()
      const hasCome = since !== undefined && systemClock.now() - since >= startedFor
      return hasCome && !held.has(name) && (cut.get(name) ?? 0) < MOST_STARTS_CUT
    })

  /** Whom a kill hits now; nobody until not too many are down already. */
  const targetOf = (fault: Kill, lateMs: number) => {
    const found = !isFull(fault.victim) ? standing(fault.victim) : lateMs > LATE_MS ? starting(fault) : undefined
    return fault.only && found?.[0] !== fault.victim ? undefined : found
  }

  const kill = async (fault: Kill, lateMs: number) => {
    const [name, victim] = targetOf(fault, lateMs) ?? []
    if (!name || !victim) return
    const wiped = name === 'nats' && fault.wiped === true
    const service = services.find(([of]) => of === name)?.[1]
    const isStarting = service?.startingSince() !== undefined
    cut.set(name, isStarting ? (cut.get(name) ?? 0) + 1 : 0)
    const what = wiped ? 'kill, store wiped' : isStarting ? 'kill while starting' : 'kill'
    await during({ kind: 'kill', what, victim: name }, async () => {
      // What is being brought up may be killed at any moment of it; a server that comes up by itself may not.
      if (name === 'postgres') held.add(name)
      await victim.kill()
      await wait(fault.lastsMs)
      await victim.revive(wiped)
      held.delete(name)
    })
  }
  const pause = async ({ victim: wanted, lastsMs }: Extract<Fault, { kind: 'pause' }>) => {
    const [name, victim] = standing(wanted) ?? []
    if (!name || !victim) return
    held.add(name)
    await during({ kind: 'pause', what: `pause`, victim: name }, async () => {
      await victim.hold()
      await wait(lastsMs)
      await victim.release()
      held.delete(name)
    })
  }
  const network = async ({ name, victim, server, lastsMs }: Extract<Fault, { kind: 'network' }>) => {
    const road = networkOf(victim, server)
    const proxy = networks.get(road)
    if (!proxy || held.has(road)) return
    held.add(road)
    await during({ kind: 'network', what: name, victim, server }, async () => {
      if (name === 'reset') proxy.reset()
      else {
        proxy.set(weatherOf(name, random))
        await wait(lastsMs)
        proxy.set(CALM)
      }
      held.delete(road)
    })
  }

  const begin = (fault: Fault, lateMs: number) => {
    const struck =
      fault.kind === 'network' ? network(fault) : fault.kind === 'kill' ? kill(fault, lateMs) : pause(fault)
    underWay.add(struck)
    void struck.finally(() => underWay.delete(struck)).catch(() => undefined)
  }
  const eachInTurn = async (faults: readonly Fault[], { began, isOver, tell }: Course) => {
    for (const fault of faults) {
      const lateMs = () => systemClock.now() - began - fault.at
      const mayBegin = () => lateMs() >= 0 && (fault.kind !== 'kill' || targetOf(fault, lateMs()) !== undefined)
      while (!isOver() && !mayBegin()) {
        await wait(LOOK_EVERY_MS)
        tell()
      }
      if (!isOver()) begin(fault, lateMs())
    }
  }

  return {
    outages,
    /** Replaces a process, which is down meanwhile. */
    upgrading: (victim: ServiceName, upgrade: () => Promise<void>) =>
      during({ kind: 'upgrade', what: 'upgrade', victim }, upgrade),
    /** What is wrong now. */
    underWay: () =>
      outages
        .filter(({ to }) => to === Infinity)
        .map(({ what, victim }) => `${victim}: ${what}`)
        .join(', '),
    /** Begins each at its time, kills when they may be. Resolves when the last one has begun, or it is over. */
    inTurn: async (faults: readonly Fault[], course: Course) => {
      const kills = faults.filter(({ kind }) => kind === 'kill')
      // Kills may have to wait, and then the others do not.
      await Promise.all([
        eachInTurn(kills, course),
        eachInTurn(
          faults.filter(({ kind }) => kind !== 'kill'),
          course,
        ),
      ])
    },
    /** Resolves when all that went wrong is over. */
    over: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
