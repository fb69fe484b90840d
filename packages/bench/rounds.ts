import { ratios, spread, type Measured, type Spread } from './stats.ts'

/** One side of a comparison. `measure` does one round's work and throws unless it was done correctly. */
export interface Contender {
  readonly name: string
  measure(): Promise<Measured>
}

export interface Aim {
  readonly ratio: number
  /** Set for costs such as memory and time, where less is better. */
  readonly isMost?: true
  readonly p99Ms?: number
}

/** One line of the table: the service against one contender. */
export interface Comparison {
  readonly what: string
  readonly unit: string
  readonly ours: Summary
  readonly theirs: Summary
  readonly ratio: Spread
  readonly aim: Aim | undefined
  /** Undefined when there is no aim. */
  readonly met: boolean | undefined
}

export interface Summary {
  readonly name: string
  readonly perSecond: Spread
  readonly p50Ms?: number
  readonly p99Ms?: number
}

export interface RoundOptions {
  readonly rounds: number
  readonly warmUps: number
  /** Duration of one side of `strangers`. */
  readonly minutes: number
  readonly progress: (message: string) => void
}

/** Alternates the contenders, A B A B, after warm-up rounds. Returns one array of rounds per contender. */
export async function takeTurns(contenders: readonly Contender[], options: RoundOptions): Promise<Measured[][]> {
  const results = contenders.map((): Measured[] => [])
  for (let round = -options.warmUps; round < options.rounds; round += 1) {
    for (const [index, { name, measure }] of contenders.entries()) {
      const measured = await measure()
      if (round >= 0) results[index]?.push(measured)
      options.progress(`  ${round < 0 ? 'warm-up' : `round ${round + 1}`}: ${name} ${describe(measured)}`)
    }
  }
  return results
}

function describe({ perSecond, p50, p99 }: Measured): string {
  const latency = p99 === undefined ? '' : `, p50 ${p50?.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
  return `${Math.round(perSecond)}/s${latency}`
}

export function compare(
  what: string,
  unit: string,
  ours: { readonly name: string; readonly rounds: readonly Measured[] },
  theirs: { readonly name: string; readonly rounds: readonly Measured[] },
  aim?: Aim,
): Comparison {
  const ratio = ratios(ours.rounds, theirs.rounds)
  const summary = summarize(ours.name, ours.rounds)
  const inTime = aim?.p99Ms === undefined || (summary.p99Ms ?? Infinity) < aim.p99Ms
  return {
    what,
    unit,
    ours: summary,
    theirs: summarize(theirs.name, theirs.rounds),
    ratio,
    aim,
    met: aim && (aim.isMost ? ratio.median <= aim.ratio : ratio.median >= aim.ratio) && inTime,
  }
}

function summarize(name: string, rounds: readonly Measured[]): Summary {
  const timed = (times: readonly (number | undefined)[]) => times.filter((time) => time !== undefined)
  const [p50, p99] = [timed(rounds.map((round) => round.p50)), timed(rounds.map((round) => round.p99))]
  return {
    name,
    perSecond: spread(rounds.map(({ perSecond }) => perSecond)),
    ...(p50.length > 0 ? { p50Ms: spread(p50).median } : {}),
    ...(p99.length > 0 ? { p99Ms: spread(p99).median } : {}),
  }
}
