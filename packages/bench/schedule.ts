import type { Core } from '../../app/wiring/core.ts'
import { poolSizes } from '../../reactors/runtime/pools.ts'
import { moments } from './pace.ts'
import { compare, takeTurns, type Comparison, type Contender, type RoundOptions } from './rounds.ts'
import { livesOf, scheduleFloor, type Life, type ScheduleFloor } from './schedule-floor.ts'
import { connectAccounts, published, schedule, type ConnectedAccount } from './scheduled-posts.ts'
import type { Server } from './server.ts'
import { openIdle, startAtWork } from './service.ts'
import { percentile, type Measured } from './stats.ts'

const WORKSPACES = 5
const ACCOUNTS_EACH = 20
/** Not due for a day. */
const PENDING = 10_000
const DAY_MS = 24 * 3_600_000
const AT_ONCE = 2_000
const PACED = 200
const EVERY_MS = 50
/**
 * How long before its due time (ms) a post is scheduled, which leaves time to project it: for posts due at once, and for paced
 * ones.
 */
const LEAD_MS = 5_000
const SHORT_LEAD_MS = 2_000

/** From the moment a post is due, against making the same appends and nothing else. */
export async function benchSchedule(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const closing: (() => Promise<void>)[] = []
  try {
    const { core, stop } = await startAtWork(server, 'schedule')
    closing.unshift(stop)
    const idle = await openIdle(server, 'schedule_floor')
    closing.unshift(idle.close)
    const accounts = await connectAccounts(core, { workspaces: WORKSPACES, each: ACCOUNTS_EACH })
    await schedule(core, accounts, moments(core.clock.now() + DAY_MS, 1_000, PENDING))

    const scene = { core, accounts, floor: scheduleFloor(idle.log, idle.clock) }
    const [fired, started, queued, begun] = bursts(scene)
    const [late, timer] = pacing(scene)
    const contenders = [fired, started, queued, begun, late, timer]
    const [a = [], b = [], c = [], d = [], e = [], f = []] = await takeTurns(contenders, options)
    const due = `${AT_ONCE.toLocaleString('en')} posts due at once`
    const [ours, theirs] = ['Fanfare', 'the same appends']
    return [
      compare(`${due}, fired`, 'posts/s', { name: ours, rounds: a }, { name: theirs, rounds: c }, { ratio: 0.25 }),
      compare(`${due}, started`, 'posts/s', { name: ours, rounds: b }, { name: theirs, rounds: d }, { ratio: 0.25 }),
      compare(
        `lateness, one post every ${EVERY_MS} ms`,
        'posts/s',
        { name: late.name, rounds: e },
        { name: timer.name, rounds: f },
        { ratio: 0.95, p99Ms: 50 },
      ),
    ]
  } finally {
    for (const close of closing) await close()
  }
}

interface Scene {
  readonly core: Core
  readonly accounts: readonly ConnectedAccount[]
  readonly floor: ScheduleFloor
}

/** All due at one moment: until the last one is fired, and until publishing of the last one has started. One run yields both. */
function bursts({ core, accounts, floor }: Scene): readonly [Contender, Contender, Contender, Contender] {
  const { clock, log, settings } = core
  const perSecond = (ms: number): Measured => ({ perSecond: (AT_ONCE * 1000) / ms })
  let lives: readonly Life[] = []
  let [ours, theirs] = [NaN, NaN]
  const service = async () => {
    const due = moments(clock.now() + LEAD_MS, 0, AT_ONCE)
    const streams = await schedule(core, accounts, due)
    const posts = await published(core, streams, due)
    lives = await livesOf(log, streams)
    ours = Math.max(...posts.map(({ startedAt, dueAt }) => startedAt - dueAt))
    return perSecond(Math.max(...posts.map(({ queuedAt, dueAt }) => queuedAt - dueAt)))
  }
  const same = async () => {
    const { queuedMs, startedMs } = await floor.burst(lives, poolSizes(settings.WORKER_CONCURRENCY))
    theirs = startedMs
    return perSecond(queuedMs)
  }
  return [
    { name: 'Fanfare, fired', measure: service },
    { name: 'Fanfare, started', measure: async () => perSecond(ours) },
    { name: 'the same appends, fired', measure: same },
    { name: 'the same appends, started', measure: async () => perSecond(theirs) },
  ]
}

/** Due one after the other. Lateness is measured at the recorded firing. */
function pacing({ core, accounts, floor }: Scene): readonly [Contender, Contender] {
  const { clock, log } = core
  const measured = (late: readonly number[]): Measured => ({
    perSecond: (PACED * 1000) / (PACED * EVERY_MS + (late.at(-1) ?? NaN)),
    p50: percentile(late, 50),
    p99: percentile(late, 99),
  })
  let lives: readonly Life[] = []
  const service = async () => {
    const due = moments(clock.now() + SHORT_LEAD_MS, EVERY_MS, PACED)
    const streams = await schedule(core, accounts, due)
    const posts = await published(core, streams, due)
    lives = await livesOf(log, streams)
    return measured(posts.map(({ queuedAt, dueAt }) => queuedAt - dueAt))
  }
  const timer = async () => measured(await floor.paced(lives, moments(clock.now() + 1_000, EVERY_MS, PACED)))
  return [
    { name: 'Fanfare', measure: service },
    { name: 'a timer and an append', measure: timer },
  ]
}
