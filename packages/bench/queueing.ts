/** Where work waits in line: so many can be served at once, each for this long on average (ms). */
export interface Station {
  readonly name: string
  readonly servers: number
  readonly ms: number
}

interface Ending {
  readonly time: number
  readonly step: number
}

const JOBS = 20_000
/** Numerical Recipes' generator: the same numbers in each run. */
const SEED = 42

/**
 * Simulates work that goes from station to station, with exponential service times and a fixed number of pieces under way.
 *
 * @returns pieces per second, and the share of its time that each station is busy
 */
export function throughput(
  stations: readonly Station[],
  route: readonly string[],
  atOnce: number,
): { readonly perSecond: number; readonly busy: Readonly<Record<string, number>> } {
  const chance = generator(SEED)
  const at = new Map(
    stations.map((station) => [
      station.name,
      { ...station, free: station.servers, waiting: [] as number[], usedMs: 0 },
    ]),
  )
  const ends: Ending[] = []
  let [now, done, begun] = [0, 0, 0]
  const arrive = (step: number): void => {
    const station = at.get(route[step] ?? '')
    if (!station) throw new Error(`There is no station ${route[step]}`)
    station.waiting.push(step)
    if (station.free === 0) return
    station.free -= 1
    serve(station)
  }
  const serve = (station: { readonly ms: number; readonly waiting: number[]; usedMs: number }): void => {
    const step = station.waiting.shift() ?? 0
    const ms = -Math.log(1 - chance()) * station.ms
    station.usedMs += ms
    ends.push({ time: now + ms, step })
  }
  for (; begun < atOnce; begun += 1) arrive(0)
  while (done < JOBS) {
    const { time, step } = soonest(ends)
    now = time
    const station = at.get(route[step] ?? '')
    if (station && station.waiting.length > 0) serve(station)
    else if (station) station.free += 1
    if (step + 1 < route.length) arrive(step + 1)
    else {
      done += 1
      arrive(0)
    }
  }
  const busy = [...at.values()].map(
    ({ name, usedMs, servers }) => [name, Math.min(1, usedMs / (servers * now))] as const,
  )
  return { perSecond: (done * 1000) / now, busy: Object.fromEntries(busy) }
}

function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Takes out what ends next, of a few thousand at most. */
function soonest(ends: Ending[]): Ending {
  let least = 0
  for (let at = 1; at < ends.length; at += 1) if ((ends[at]?.time ?? 0) < (ends[least]?.time ?? 0)) least = at
  const [next] = ends.splice(least, 1)
  if (!next) throw new Error('Nothing is under way')
  return next
}
