import type { Chance } from '../chaos/chance.ts'
import type { Edges, Engine, Process } from './engine.ts'

/** How bad a seed is. Shares are of 1. */
export interface Faults {
  /** Of calls at whose beginning or end the process dies. */
  readonly death: number
  /** Of the same, at which it is held. */
  readonly hold: number
  /** Of appends whose answer is lost, done or not. */
  readonly lostAppend: number
  /** Of visible calls whose answer is lost, done or not. */
  readonly lostAnswer: number
  /** Of calls that a platform fails, for now or for good. */
  readonly refusal: number
  /** Of posts that a platform takes, and shows or refuses later. */
  readonly processing: number
}

/** While so much goes wrong, in ms. Then everything works, and all has to settle. */
export const STORM_MS = 10 * 60_000
/** How far (ms) a clock may be wrong (docs/servers.md: a few seconds). */
const MOST_WRONG_MS = 1_500
/** Longer than a lease, and than a call to a platform may take. */
const LONGEST_HOLD_MS = 90_000

const OFTEN = [0, 0.01, 0.03, 0.1, 0.3] as const

export function faultsOf(random: Chance): Faults {
  const share = () => random.pick(OFTEN)
  return {
    // Publishing a post takes twenty calls.
    death: random.pick([0, 0.002, 0.01, 0.05] as const),
    hold: random.pick([0, 0.002, 0.01, 0.05] as const),
    lostAppend: random.pick([0, 0.01, 0.05, 0.1] as const),
    ...{ lostAnswer: share(), refusal: share(), processing: share() },
  }
}

export interface Outages {
  /** Whether the log or a platform cannot be reached now. */
  isAway(what: string): boolean
}

/** What goes wrong at this moment. */
export interface Weather extends Outages {
  readonly faults: Faults
  isCalm(): boolean
}

/** What happens to a process at the edges of its calls. */
export function edgesOf({ death, hold }: Faults, random: Chance, isCalm: () => boolean): Edges {
  return {
    at: () => {
      const roll = isCalm() ? 1 : random.next()
      // There are two edges.
      if (roll < death / 2) return 'dies'
      return roll < (death + hold) / 2 ? random.between(100, LONGEST_HOLD_MS) : 'lives'
    },
  }
}

/** Kills, wrong clocks and outages, at times that the seed chooses. */
export function storm(engine: Engine, processes: readonly Process[], away: readonly string[]): Outages {
  const { random, after } = engine
  const backAt = new Map<string, number>()
  const someTimes = (most: number, act: (process: Process) => void) => {
    for (let left = random.below(most + 1); left > 0; left -= 1) {
      const process = random.pick(processes)
      if (process) after(random.below(STORM_MS), () => act(process))
    }
  }
  someTimes(4, (process) => process.kill())
  someTimes(4, (process) => process.setClock(random.between(-MOST_WRONG_MS, MOST_WRONG_MS)))
  for (let left = random.below(4); left > 0; left -= 1) {
    const what = random.pick(away) ?? ''
    const ms = random.between(1_000, 120_000)
    after(random.below(STORM_MS), () => void backAt.set(what, engine.now() + ms))
  }
  return { isAway: (what) => (backAt.get(what) ?? 0) > engine.now() }
}
