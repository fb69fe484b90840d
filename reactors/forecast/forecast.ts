import { Refusal } from '../../domain/core/errors.ts'
import { streamName } from '../../domain/core/event.ts'
import type { Forecast, ForecastPosts, ForecastRequest } from '../../domain/post/forecast.ts'
import { isQueued, post, targetId } from '../../domain/post/post.ts'
import { dueAtMoment } from '../../domain/post/wall-time.ts'
import { load, type CommandDeps } from '../../commands/handle.ts'
import type { AttemptPolicy } from '../../commands/attempt-policy.ts'
import type { MonthCosts } from '../../domain/account/month-costs.ts'
import type { TextModel } from '../../infra/ai/text.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Vault } from '../../infra/postgres/vault.ts'
import { isoTime, type Clock } from '../../infra/runtime/clock.ts'
import { eachOf } from '../../infra/runtime/each-of.ts'
import type { MaintenanceWindow } from '../../infra/runtime/maintenance-settings.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { isAtSandbox } from '../../platforms/kit/costs.ts'
import { versionOf } from '../../projections/models/scheduled-posts.ts'
import { createPauses, type Pauses } from '../platform-calls/pauses.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'
import { publishReactor, targetKey } from '../publishing/publish.ts'
import { recycleReactor } from '../publishing/recycle.ts'
import { scheduleReactor } from '../publishing/schedule.ts'
import { forecastEntries, type Entries } from './entries.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { overlayLog, type OverlayLog } from './overlay-log.ts'
import { plannedIn, type Planned } from './planned.ts'
import { rehearsedAgenda, type RehearsedRow } from './rehearsed-agenda.ts'
import { rehearsedPlatforms } from './rehearsed-platforms.ts'
import { scheduledStream } from './scheduled-stream.ts'
import { warningsOf } from './warnings.ts'

export interface ForecastDeps extends Pick<CommandDeps, 'log'> {
  readonly db: Database
  readonly vault: Pick<Vault, 'find'>
  readonly access: PlatformAccess
  readonly logger: Logger
  readonly monthCosts: MonthCosts
  /** In the order of time. */
  readonly maintenance: readonly MaintenanceWindow[]
  /** US dollars a month, by platform. */
  readonly budgets: ReadonlyMap<string, number>
  readonly policy: AttemptPolicy
  /** How late (ms) a scheduled post is still published. */
  readonly graceMs: number
  /** Whether captions can be rewritten. */
  readonly rewrites: boolean
  /** Undefined when there is no sandbox. */
  readonly sandboxUrl: string | undefined
}

/** How many forecasts a process makes at once, one for each workspace. */
const AT_ONCE = 2
const RETRY_AFTER_S = 5
/** How often reactors are called in one forecast; a post on one account takes two calls, and one more each time that it waits. */
const MOST_STEPS = 60_000
/** Others get their turn after so many calls. */
const STEPS_AT_ONCE = 50
/** A row that a reactor would like to see again at once. */
const LEAST_WAIT_MS = 1_000
const READS_AT_ONCE = 16

/**
 * Says what will happen to what is planned, if nobody changes it: the reactors that publish run over a copy of the log and the
 * agenda, on a clock that moves from one due time to the next, with connectors that call nobody.
 */
export function createForecast(deps: ForecastDeps): ForecastPosts {
  const served = new Set<string>()
  return async (request) => {
    const { workspaceId } = request
    if (served.has(workspaceId) || served.size === AT_ONCE) {
      const message = `Other forecasts are being made. Retry in ${RETRY_AFTER_S} seconds.`
      throw new Refusal('rate_limit_exceeded', message, { retryAfterS: RETRY_AFTER_S })
    }
    served.add(workspaceId)
    try {
      return await forecastOf(deps, request)
    } finally {
      served.delete(workspaceId)
    }
  }
}

async function forecastOf(deps: ForecastDeps, request: ForecastRequest): Promise<Forecast> {
  const isCounted = ({ baseUrl }: { readonly baseUrl?: string | null | undefined }) =>
    !isAtSandbox(deps.sandboxUrl, baseUrl ?? undefined)
  const planned = await plannedIn({ ...deps, isCounted }, request)
  const labels = new Map(planned.accounts.map(({ id, label }) => [id, label]))
  const ledger = createLedger(deps.access.costsOf, planned.published)
  const entries = forecastEntries(ledger, (id) => labels.get(id))
  const agenda = rehearsedAgenda()
  const log = overlayLog(deps.log, (event) => {
    agenda.apply(event)
    entries.on(event)
  })
  for (const row of planned.scheduled) {
    log.begin(streamName(post, row.id), scheduledStream({ ...row, ...versionOf(row) }))
  }
  if (request.added) {
    const { id, content, dueAt } = request.added
    const due = dueAtMoment(dueAt, 'UTC')
    log.begin(streamName(post, id), scheduledStream({ id, createdAt: isoTime(request.now), content, due }))
  }
  for (const row of await waitingWork(log, planned)) agenda.put(row)

  const until = planned.cutAt === undefined ? request.until : Date.parse(planned.cutAt) - 1
  let now = request.now
  const clock: Clock = { now: () => now, sleep: async () => undefined }
  const isKnown = { clock, ledger, accessEnds: planned.accessEnds, isGone: planned.isGone, isCounted }
  const stage = stageOf(deps, log, clock, ledger, rehearsedPlatforms(deps.access.platform, isKnown))
  const steps = { left: MOST_STEPS }
  let cutAt = planned.cutAt
  for (let row = agenda.next(until); row; row = agenda.next(until)) {
    now = Math.max(now, row.at)
    if (steps.left === 0) {
      cutAt = isoTime(now)
      break
    }
    steps.left -= 1
    if (steps.left % STEPS_AT_ONCE === 0) await new Promise(setImmediate)
    agenda.end(row, await stage.run(row, `${row.id} ${steps.left}`, entries))
  }
  for (const entry of warningsOf(planned, deps.maintenance, request)) entries.add(entry)
  return {
    from: isoTime(request.now),
    until: isoTime(request.until),
    ...entries.result(),
    ...(cutAt !== undefined && { cutAt }),
  }
}

/** What is under way needs the platform: a post whose call was made, and what is done to one that is published. */
async function waitingWork(log: OverlayLog, { work }: Planned): Promise<readonly RehearsedRow[]> {
  const waiting = new Set<string>()
  await eachOf(work, READS_AT_ONCE, async ({ id, kind, subject, part }) => {
    if (kind === 'recycle') return void waiting.add(id)
    const state = await load(log, post, subject)
    const target = isQueued(state) ? state.targets.get(targetId(targetKey(part))) : undefined
    if (target?.state.step === 'queued' || target?.state.step === 'preparing') waiting.add(id)
  })
  return work.filter(({ id }) => waiting.has(id)).map((row) => ({ ...row, at: Date.parse(row.at) }))
}

/** The reactors, with what they need. */
function stageOf(
  { access: real, logger, policy, graceMs, rewrites, ...deps }: ForecastDeps,
  log: OverlayLog,
  clock: Clock,
  ledger: Ledger,
  platform: PlatformAccess['platform'],
) {
  /** Why the work that is being done has to wait. */
  let paused: string | undefined
  const pauses = rehearsedPauses(deps, real, clock, ledger)
  const access: PlatformAccess = {
    ...{ ...real, platform },
    pauses: {
      pauseOf: async (...asked) => {
        const pause = await pauses.pauseOf(...asked)
        paused = pause?.failure.message
        return pause
      },
    },
    publicMedia: { ...real.publicMedia, atPresent: async (media) => media },
    run: (_account, _timeoutMs, signal, work) => work({ ...NOBODY, clock, signal }),
  }
  const alike = {
    others: () => async () => ({ ruledOut: new Set<string>(), doubt: 'none' as const }),
    lostUntil: async () => undefined,
  }
  const relay = () => Promise.reject(new Error('a forecast relays nothing'))
  const reactors = {
    schedule: scheduleReactor({ log, clock, graceMs }),
    publish: publishReactor({ log, clock, access, logger, policy, alike, relay }),
    recycle: recycleReactor({ log, clock, textModel: rewrites ? SAME_WORDS : undefined }),
  }
  const never = new AbortController().signal
  return {
    /** @returns until when the row is postponed, ms since the epoch; undefined if it is done */
    run: async (row: RehearsedRow, token: string, entries: Entries): Promise<number | undefined> => {
      paused = undefined
      const result = await reactors[row.kind]({ ...row, token }, never)
      if (result.kind === 'done') return undefined
      const until = Math.max(result.until, clock.now() + LEAST_WAIT_MS)
      if (row.kind === 'publish')
        entries.postponed(row.subject, targetKey(row.part), { now: clock.now(), until }, paused)
      return until
    },
  }
}

/** Maintenance and budgets as they are, which nobody raises, with what the forecast spends. */
function rehearsedPauses(
  { maintenance, budgets, monthCosts }: Pick<ForecastDeps, 'maintenance' | 'budgets' | 'monthCosts'>,
  { costsOf }: Pick<PlatformAccess, 'costsOf'>,
  clock: Clock,
  ledger: Ledger,
): Pauses {
  const known = new Map<string, ReturnType<MonthCosts>>()
  return createPauses({
    ...{ maintenance, budgets, costsOf, clock, lookAgainMs: Infinity },
    monthCosts: async (month) => {
      const costs = known.get(month) ?? monthCosts(month)
      known.set(month, costs)
      const spent = await costs
      return [...budgets.keys()].map((platform) => {
        const before = spent.find((each) => each.platform === platform)?.usd ?? 0
        return { platform, usd: before + ledger.spent(platform, month) }
      })
    },
  })
}

function unused(): never {
  throw new Error('a forecast calls nobody')
}

const NOBODY = {
  http: { request: unused, stream: unused, close: unused },
  media: { spool: unused },
  credentials: { read: unused, renew: unused },
}

/** What an AI would write is not known: the same is as long. */
const SAME_WORDS: TextModel = {
  write: async ({ data: [caption] }) => ({ text: caption?.text ?? '', provider: '', model: '', prompt: '' }),
}
