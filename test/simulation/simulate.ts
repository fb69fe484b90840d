import { PLATFORM_KEYS } from '../../domain/core/platform.ts'
import type { RecordedEvent } from '../../domain/core/event.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { Platform } from '../../platforms/kit/platform.ts'
import { createEngine, createProcess } from './engine.ts'
import { edgesOf, faultsOf, storm, STORM_MS, type Outages, type Weather } from './faults.ts'
import { broken, type Invariant } from './invariants.ts'
import { simulatedPlatforms } from './platforms.ts'
import { simulatedAgenda, simulatedLog, worker } from './service.ts'
import { CONNECTED, users } from './users.ts'

const WORKERS = 2
/** Everything works from when the storm is over; a lost response is looked for during an hour. */
const CALM_MS = 6 * 60 * 60_000
/** A run has a few thousand; more is a loop. */
const MOST_HAPPENINGS = 50_000

export interface Simulated {
  /** What breaks each invariant. */
  readonly broken: Readonly<Record<Invariant, readonly string[]>>
  /** How often each thing happened. */
  readonly counts: Readonly<Record<string, number>>
  /** The log and what the platforms have, by time. The same for the same seed. */
  readonly trace: readonly string[]
}

export interface SimulateOptions {
  /** Makes a connector worse than it is, to see that a run notices. */
  readonly spoil?: (platform: Platform) => Platform
}

/** Users, processes and platforms for ten minutes in which much goes wrong, and for hours in which nothing does. */
export async function simulate(
  seed: number,
  { spoil = (platform) => platform }: SimulateOptions = {},
): Promise<Simulated> {
  const engine = createEngine(seed)
  const began = engine.now()
  const faults = faultsOf(engine.random)
  const isCalm = () => engine.now() > began + STORM_MS
  const edges = edgesOf(faults, engine.random, isCalm)
  const bugs: unknown[] = []
  let outages: Outages = { isAway: () => false }
  const weather: Weather = { faults, isCalm, isAway: (what) => outages.isAway(what) }

  const agenda = simulatedAgenda(engine)
  const log = simulatedLog(engine, weather, agenda.follow, CONNECTED)
  const platforms = simulatedPlatforms(engine, weather, log)
  const work = worker(
    engine,
    { log, agenda, platformsOf: (process) => (key) => spoil(platforms.of(process, key)) },
    (error) => void bugs.push(error),
  )
  const api = createProcess(engine, edges, () => undefined)
  const workers = Array.from({ length: WORKERS }, () => createProcess(engine, edges, work))
  const deps = { log: log.by(api), clock: { now: () => api.clock(), sleep: async () => undefined } }

  outages = storm(engine, [api, ...workers], ['log', ...PLATFORM_KEYS])
  const asked = users(engine, api, deps)
  await engine.run(began + STORM_MS + CALM_MS, MOST_HAPPENINGS)

  const { live, unannounced } = platforms
  const isOver = engine.happenings() < MOST_HAPPENINGS
  return {
    broken: broken({ ...{ asked, live, unannounced, bugs, isOver }, eventsOf: log.ofPost }),
    counts: countsOf(log.events, live.length, engine.happenings()),
    trace: [
      ...log.events.map(
        ({ stream, type, metadata, data }) => `${metadata.at} ${stream} ${type} ${JSON.stringify(data)}`,
      ),
      ...live.map(({ at, platform, text }) => `${isoTime(at)} ${platform} has ${text}`),
    ].toSorted(),
  }
}

function countsOf(events: readonly RecordedEvent[], live: number, happenings: number): Simulated['counts'] {
  const count = (type: string) => events.filter((event) => event.type === type).length
  return {
    ...{ happenings, events: events.length, 'posts live': live },
    'responses lost': count('PublishAnswerLost'),
    'attempts deferred': count('PublishDeferred'),
    'accounts failed': count('AccountPublishFailed'),
    'posts canceled': count('ScheduleCancelled'),
    'retries by users': count('RetryRequested'),
  }
}
