import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { auditLog } from '../../cli/audit-log.ts'
import type { Core } from '../../main.ts'
import { systemClock } from '../../system/clock.ts'
import { chance } from './chance.ts'
import { client } from './client.ts'
import { givenEstate, hasNats, type Estate, type Teardown } from './estate.ts'
import type { Evidence } from './evidence.ts'
import { listedPosts, rebuilt, remembered, shownBy, unanswered, untold, wholeLog } from './gather.ts'
import { givenHooks, type OpenHook } from './hooks.ts'
import { answerComments } from './load/comments.ts'
import { load } from './load/index.ts'
import { growingFeed } from './load/others.ts'
import { retryFailed } from './load/posts.ts'
import { noWishes, type Scene } from './load/scene.ts'
import { plan, type PlanOptions } from './plan.ts'
import { strikes } from './strike.ts'

export interface RunOptions extends Omit<PlanOptions, 'hasNats'> {
  /** An empty folder for all data. */
  readonly folder: string
  readonly progress: (line: string) => void
}

const TOLD_EVERY_MS = 10_000
/** A slow machine takes longer to bring up what was killed. */
const MOST_TIMES_LONGER = 1.5
const STUCK_AFTER_MS = 120_000
/** However long it takes, it is told; but not for ever. */
const GIVEN_UP_AFTER_MS = 300_000

/** Runs the service under load while its parts fail, lets it come to rest, and gathers all that is known of it then. */
export async function run(t: Teardown, options: RunOptions): Promise<Evidence> {
  const { folder, progress, seed, ms } = options
  const estate = await givenEstate(t, folder, progress)
  const stopping = new AbortController()
  // All that the load waits for.
  setMaxListeners(0, stopping.signal)
  const scene: Scene = {
    client: client(estate.port, estate.apiKey),
    random: chance(seed + 1),
    sandboxUrl: estate.sandboxUrl,
    accounts: estate.accounts,
    stopping: stopping.signal,
    wishes: noWishes(),
  }
  const hooks = await givenHooks(t, scene.client)
  const feed = await growingFeed(t, scene)
  const working = load(scene, feed)
  // A load that fails ends the run.
  working.catch(() => stopping.abort())

  const field = strikes(estate, chance(seed + 2))
  const faults = plan({ ...options, hasNats: hasNats() })
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
  const end = began + ms * MOST_TIMES_LONGER
  await field.inTurn(faults, { began, isOver: () => stopping.signal.aborted || systemClock.now() >= end, tell })
  await field.over()
  progress(`${field.outages.length} faults are over; waiting for everything to settle`)
  stopping.abort()
  await working
  // From here on nothing is asked for that was not before.
  const quietAt = systemClock.now()
  await fetch(`${estate.sandboxUrl}/_control/faults`, { method: 'DELETE' })
  const core = await estate.openCore()
  try {
    const rest = await comeToRest(core, scene, { hooks, feed, quietAt, progress })
    progress(
      `settled ${((rest.settledAt - quietAt) / 1_000).toFixed(1)} s after the last fault; gathering what is known`,
    )
    return { ...(await gathered(core, estate, scene, hooks)), outages: field.outages, quietAt, ...rest }
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

function progressOf({ done, of, ms, ofMs }: Way, { client, wishes }: Scene, underWay: string): string {
  const perMinute = (count: number) => `${count} (${((count / ms) * 60_000).toFixed(0)}/min)`
  const left = Math.max(0, (ofMs - ms) / 1_000).toFixed(0)
  const posts = perMinute(wishes.posts.size)
  return `${perMinute(done)} of ${of} faults, ${posts} posts, ${client.history.length} requests; ${left} s to go; ${underWay || 'all up'}`
}

interface Resting {
  readonly hooks: readonly OpenHook[]
  readonly feed: { check(): Promise<unknown> }
  readonly quietAt: number
  readonly progress: (line: string) => void
}

/** Waits until nothing is owed any more, and has what failed tried again, as users do. */
async function comeToRest(core: Core, scene: Scene, { hooks, feed, quietAt, progress }: Resting) {
  const { client, wishes } = scene
  await feed.check()
  let stuck: readonly string[] | undefined
  let told = quietAt
  for (;;) {
    const posts = await listedPosts(client)
    const failed = await retryFailed(scene, posts)
    const answered = await answerComments(scene)
    const shown = new Set(posts.map(({ caption }) => caption))
    const missing = [...wishes.posts.keys()].filter((caption) => !shown.has(caption))
    const processing = posts.filter(({ status }) => status === 'processing').map(({ id }) => id)
    const open = [...processing, ...missing, ...(await unanswered(scene)), ...(await owed(core))]
    if (open.length === 0) open.push(...(await untold(client, hooks)))
    const now = systemClock.now()
    if (now > quietAt + STUCK_AFTER_MS && open.length > 0) stuck ??= open
    const isAtRest = open.length === 0 && failed === 0 && answered === 0
    if (isAtRest || now > quietAt + GIVEN_UP_AFTER_MS) return { settledAt: now, stuck: stuck ?? [] }
    if (now > told + TOLD_EVERY_MS) {
      told = now
      progress(`${open.length + failed + answered} are owed: ${open.slice(0, 3).join(', ')}`)
    }
    await wait(2_000)
  }
}

/** Rows of the agenda that are not there for ever, and not of another day. */
async function owed({ db }: Core): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from read.agenda where kind not in ('feed', 'comments', 'metrics', 'competitor')
     and due_at < now() + interval '1 hour' limit 1000`,
  )
  return rows.map(({ id }) => id)
}

async function gathered(core: Core, estate: Estate, scene: Scene, hooks: readonly OpenHook[]) {
  const { client, wishes } = scene
  const { deliveries, ...shown } = await shownBy(client, hooks)
  const outside = await remembered(scene)
  const wrongEnds = await estate.stop()
  return {
    ...{ wishes, history: client.history, ...shown, ...outside },
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
