import { setMaxListeners } from 'node:events'
import { auditLog } from '../../app/cli/audit-log.ts'
import type { Core } from '../../app/wiring/core.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { chance } from './chance.ts'
import { client } from './client.ts'
import { givenEstate, type Estate, type Teardown } from './estate.ts'
import type { Evidence } from './evidence.ts'
import { rebuilt, remembered, shownBy, wholeLog } from './gather.ts'
import { givenHooks, type OpenHook } from './hooks.ts'
import { load } from './load/index.ts'
import { growingFeed } from './load/others.ts'
import { EVERYWHERE, type Places } from './load/places.ts'
import { nothingRequested, type Scene } from './load/scene.ts'
import { plan, type PlanOptions } from './plan.ts'
import { comeToRest } from './rest.ts'
import { rollOut } from './rollout.ts'
import { strikes } from './strike.ts'

export interface RunOptions extends Omit<PlanOptions, 'servers'> {
  /** An empty folder for all data. */
  readonly folder: string
  readonly progress: (line: string) => void
  /** EventStoreDB, not Postgres, is the log. */
  readonly isNamedStack?: boolean
  /** The folder of the previous release, of which all processes are until a rollout in the middle of the run. */
  readonly previous?: string | undefined
  /** Default: everywhere. */
  readonly places?: Places
}

const TOLD_EVERY_MS = 10_000
/** A slow machine takes longer to bring up what was killed: by half, or by so many ms. */
const MOST_TIMES_LONGER = 1.5
const MOST_LONGER_MS = 60_000

/** Runs the service under load while its parts fail, lets it come to rest, and gathers all that is known of it then. */
export async function run(t: Teardown, options: RunOptions): Promise<Evidence> {
  const { folder, progress, seed, ms } = options
  const estate = await givenEstate(t, folder, progress, options)
  const stopping = new AbortController()
  // All that the load waits for.
  setMaxListeners(0, stopping.signal)
  const scene: Scene = {
    client: client(estate.port, estate.apiKey),
    random: chance(seed + 1),
    sandboxUrl: estate.sandboxUrl,
    accounts: estate.accounts,
    stopping: stopping.signal,
    requested: nothingRequested(),
    pace: { isBehind: false },
    places: options.places ?? EVERYWHERE,
  }
  const hooks = await givenHooks(t, scene.client)
  const feed = await growingFeed(t, scene)
  const working = load(scene, feed, hooks)
  // A load that fails ends the run.
  working.catch(() => stopping.abort())

  const field = strikes(estate, chance(seed + 2))
  const faults = plan({ ...options, servers: estate.servers })
  const began = systemClock.now()
  let told = began
  const tell = () => {
    if (systemClock.now() < told + TOLD_EVERY_MS) return
    told = systemClock.now()
    progress(
      progressOf(
        { done: field.outages.length, of: faults.length, ms: told - began, ofMs: ms },
        scene,
        field.underWay(),
      ),
    )
  }
  const end = began + Math.max(ms * MOST_TIMES_LONGER, ms + MOST_LONGER_MS)
  const rolling =
    options.previous === undefined
      ? undefined
      : rollOut(estate.services, {
          ...{ prepare: () => estate.prepareUpgrade(), upgrading: field.upgrading, progress },
          waitUntil: (share) => systemClock.sleep(began + ms * share - systemClock.now(), stopping.signal),
        })
  // A rollout that fails ends the run.
  rolling?.catch(() => stopping.abort())
  await field.inTurn(faults, { began, isOver: () => stopping.signal.aborted || systemClock.now() >= end, tell })
  await rolling
  await field.over()
  const calmAt = systemClock.now()
  progress(`${field.outages.length} of ${faults.length} faults are over; waiting for the last requests to be answered`)
  stopping.abort()
  await working
  // From here on nothing is asked for that was not before.
  const quietAt = systemClock.now()
  progress(`answered after ${((quietAt - calmAt) / 1_000).toFixed(1)} s; waiting for everything to settle`)
  await fetch(`${estate.sandboxUrl}/_control/faults`, { method: 'DELETE' })
  const core = await estate.openCore()
  try {
    const rest = await comeToRest(core, scene, { hooks, feed, quietAt, progress })
    progress(`settled ${((rest.settledAt - quietAt) / 1_000).toFixed(1)} s later; gathering the evidence`)
    const shown = await gathered(core, estate, scene, hooks)
    return { ...shown, outages: field.outages, killsWanted: options.kills, calmAt, quietAt, ...rest }
  } finally {
    await core.close()
  }
}

interface Way {
  readonly done: number
  readonly of: number
  readonly ms: number
  readonly ofMs: number
}

function progressOf({ done, of, ms, ofMs }: Way, { client, requested }: Scene, underWay: string): string {
  const perMinute = (count: number) => `${count} (${((count / ms) * 60_000).toFixed(0)}/min)`
  const left = Math.max(0, (ofMs - ms) / 1_000).toFixed(0)
  const posts = perMinute(requested.posts.size)
  const memory = Math.round(process.memoryUsage().rss / 1_048_576)
  return `${perMinute(done)} of ${of} faults, ${posts} posts, ${client.history.length} requests, ${memory} MB; ${left} s to go; ${underWay || 'all running'}`
}

async function gathered(core: Core, estate: Estate, scene: Scene, hooks: readonly OpenHook[]) {
  const { client, requested } = scene
  const { deliveries, ...shown } = await shownBy(client, hooks)
  const outside = await remembered(scene)
  const wrongEnds = await estate.stop()
  return {
    ...{ requested, history: client.history, ...shown, ...outside },
    hooks: hooks.map(({ receiver: { attempts }, ...hook }) => ({
      ...{ ...hook, attempts },
      deliveries: deliveries.get(hook.id) ?? [],
    })),
    log: await wholeLog(core),
    audit: await auditLog(core),
    differing: await rebuilt(core),
    endedThemselves: [...estate.endedThemselves, ...wrongEnds],
  }
}
