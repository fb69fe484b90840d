import { streamName, type NewEvent, type RecordedEvent } from '../../domain/core/event.ts'
import { post } from '../../domain/post/post.ts'
import type { CommandDeps } from '../../commands/handle.ts'
import { LogUnavailable, RevisionConflict } from '../../event-log/event-log.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { agenda, type AgendaRow } from '../../projections/agenda/agenda.ts'
import { NO_PAUSES } from '../../reactors/platform-calls/pauses.ts'
import type { PlatformAccess } from '../../reactors/platform-calls/platform-access.ts'
import { NO_OWN_MEDIA } from '../../reactors/platform-calls/public-media.ts'
import { publishReactor } from '../../reactors/publishing/publish.ts'
import { scheduleReactor } from '../../reactors/publishing/schedule.ts'
import type { PublishJob } from '../../platforms/kit/platform.ts'
import type { Reactor } from '../../reactors/runtime/reactor.ts'
import type { Engine, Process } from './engine.ts'
import type { Weather } from './faults.ts'
import type { SimulatedIo } from './platforms.ts'

type Log = CommandDeps['log']

/** How late a scheduled post is still published, as by default. */
const GRACE_MS = 60 * 60_000
const POLICY = { delaysMs: [5_000, 30_000, 120_000] }
const LEASE_MS = 30_000
const RENEWED_EVERY_MS = 10_000
/** When the log could not be reached. */
const RETRY_MS = 1_000
/** Work that is done keeps its row until the read models know. */
const DONE_DELAY_MS = 60_000
const AT_ONCE = 4

/** The log itself: what it has, whichever process dies. */
export function simulatedLog(
  { random }: Engine,
  { faults, isCalm, isAway }: Weather,
  onAppended: (event: RecordedEvent) => void,
  first: readonly (readonly [stream: string, event: NewEvent])[],
) {
  const streams = new Map(first.map(([stream, event]) => [stream, [{ ...event, stream, revision: 0, position: -1n }]]))
  const events: RecordedEvent[] = []
  const of = (stream: string) => streams.get(stream) ?? []
  const ofPost = (postId: string) => of(streamName(post, postId))
  const reach = () => {
    if (isAway('log')) throw new LogUnavailable('the log is away')
  }
  const append: (...given: Parameters<Log['append']>) => Awaited<ReturnType<Log['append']>> = (
    stream,
    added,
    expected,
  ) => {
    reach()
    const isLost = !isCalm() && random.next() < faults.lostAppend
    if (isLost && random.next() < 0.5) throw new LogUnavailable('the request was lost')
    const before = of(stream)
    const revision = before.length - 1
    if (expected !== revision) {
      // Done before, by a call whose answer was lost.
      const there = before.slice(expected + 1, expected + 1 + added.length)
      const last = there.at(-1)
      if (last && there.length === added.length && there.every(({ id }, nth) => id === added[nth]?.id)) return last
      throw new RevisionConflict(stream, expected, revision)
    }
    for (const event of added) {
      const recorded = { ...event, stream, revision: before.length, position: BigInt(events.length) }
      before.push(recorded)
      events.push(recorded)
      onAppended(recorded)
    }
    streams.set(stream, before)
    if (isLost) throw new LogUnavailable('the answer was lost')
    return { position: BigInt(events.length - 1), revision: before.length - 1 }
  }
  return {
    events,
    ofPost,
    /** How often the log says that the visible call with this handle may be made. The caption of each post is its id. */
    intentsFor: ({ account, text }: PublishJob, handle: string): number =>
      ofPost(text).filter(({ type, data }) => {
        const intent = data as { readonly accountId?: string; readonly handle?: { readonly id?: string } }
        return type === 'PublishPrepared' && intent.accountId === account.id && intent.handle?.id === handle
      }).length,
    /** The log, as a process reaches it. */
    by: (process: Process): Log => {
      const quickly = () => ({ thereMs: random.between(1, 30), backMs: random.between(1, 30) })
      return {
        append: (...given) => process.call({ ...quickly(), effect: () => append(...given) }),
        read: (stream, from = 0) =>
          process.call({
            ...quickly(),
            effect: () => {
              reach()
              const all = of(stream)
              const first = typeof from === 'number' ? from : all.findLastIndex(({ type }) => type === from.lastOf)
              return all.slice(Math.max(0, first))
            },
          }),
      } as Partial<Log> as Log
    },
  }
}
export type SimulatedLog = ReturnType<typeof simulatedLog>

type Kind = 'publish' | 'schedule'
type SimulatedRow = AgendaRow & { readonly kind: Kind; readonly token: string }

interface Row {
  row: AgendaRow & { readonly kind: Kind }
  freeAt: number
  lease: { readonly token: string; readonly by: Process; until: number } | undefined
}

/** The table of due work: the real agenda, a little behind the log, with leases. */
export function simulatedAgenda({ random, now, after }: Engine) {
  const rows = new Map<string, Row>()
  const listeners: (() => void)[] = []
  let [tokens, caughtUpAt] = [0, 0]
  const apply = (event: RecordedEvent) => {
    for (const id of agenda.rowIds(event)) {
      const known = rows.get(id)
      const row = agenda.apply(known?.row, event, id)
      if (row === known?.row) continue
      if (row && isSimulated(row)) rows.set(id, { row, freeAt: Date.parse(row.dueAt), lease: undefined })
      else rows.delete(id)
    }
    for (const listener of listeners) listener()
  }
  const freeAt = ({ freeAt, lease }: Row) => (lease ? Math.max(freeAt, lease.until) : freeAt)
  return {
    rows: rows as ReadonlyMap<string, Row>,
    onChange: (listener: () => void) => void listeners.push(listener),
    /** In order, and at its own pace. */
    follow: (event: RecordedEvent) => {
      const lagMs = random.next() < 0.02 ? random.between(500, 20_000) : random.between(1, 200)
      caughtUpAt = Math.max(caughtUpAt, now() + lagMs)
      after(caughtUpAt - now(), () => apply(event))
    },
    nextAt: () => Math.min(...[...rows.values()].map(freeAt)),
    claim: (by: Process, most: number): readonly SimulatedRow[] => {
      const due = [...rows.values()].filter((row) => freeAt(row) <= now()).slice(0, most)
      return due.map((found) => {
        const token = `t${(tokens += 1)}`
        found.lease = { token, by, until: now() + LEASE_MS }
        return { ...found.row, token }
      })
    },
    /** Ends a lease, if it still is one. */
    end: ({ id, token }: SimulatedRow, until: number) => {
      const found = rows.get(id)
      if (found?.lease?.token !== token) return
      ;[found.lease, found.freeAt] = [undefined, until]
      for (const listener of listeners) listener()
    },
    renew: (by: Process) => {
      for (const { lease } of rows.values()) if (lease?.by === by) lease.until = Math.max(lease.until, now() + LEASE_MS)
    },
  }
}
export type SimulatedAgenda = ReturnType<typeof simulatedAgenda>

const isSimulated = (row: AgendaRow): row is Row['row'] => row.kind === 'publish' || row.kind === 'schedule'

interface SimulatedService {
  readonly log: SimulatedLog
  readonly agenda: SimulatedAgenda
  platformsOf(process: Process): PlatformAccess['platform']
}

/** What a process does that works, from its start to its end: the due work, with the real reactors. */
export function worker(
  { random, now, after }: Engine,
  world: SimulatedService,
  onBug: (error: unknown) => void,
): (process: Process, isAlive: () => boolean) => void {
  const quickly = () => ({ thereMs: random.between(1, 20), backMs: random.between(1, 20) })
  return (process, isAlive) => {
    const { agenda } = world
    const reactors = reactorsOf(process, world, onBug)
    let [working, isAsking, isRenewing, wakesAt] = [0, false, false, Infinity]
    const ask = async () => {
      if (isAsking || working >= AT_ONCE) return
      isAsking = true
      const claimed = await process.call({ ...quickly(), effect: () => agenda.claim(process, AT_ONCE - working) })
      isAsking = false
      for (const row of claimed) void work(row)
      if (claimed.length === 0) askLater()
    }
    /** When the next row comes due. */
    const askLater = () => {
      const at = Math.max(agenda.nextAt(), now() + 1)
      if (!isAlive() || at >= wakesAt || at === Infinity) return
      wakesAt = at
      after(at - now(), () => {
        if (wakesAt !== at) return
        wakesAt = Infinity
        if (isAlive()) void ask()
      })
    }
    const renew = () => {
      isRenewing = isAlive() && working > 0
      if (!isRenewing) return
      if (!process.isHeld()) agenda.renew(process)
      after(RENEWED_EVERY_MS, renew)
    }
    const work = async (row: SimulatedRow) => {
      working += 1
      if (!isRenewing) after(RENEWED_EVERY_MS, renew)
      isRenewing = true
      let until = now() + RETRY_MS
      try {
        const result = await reactors[row.kind](row, NEVER)
        until = result.kind === 'park' ? Math.max(result.until, now() + 1) : now() + DONE_DELAY_MS
      } catch (error) {
        if (!(error instanceof LogUnavailable) && !(error instanceof RevisionConflict)) onBug(error)
      }
      await process.call({ ...quickly(), effect: () => agenda.end(row, until) })
      working -= 1
      void ask()
    }
    agenda.onChange(askLater)
    void ask()
  }
}

const NEVER = new AbortController().signal

function reactorsOf(
  process: Process,
  { log, platformsOf }: SimulatedService,
  onBug: (error: unknown) => void,
): Record<Kind, Reactor> {
  const clock = { now: () => process.clock(), sleep: async () => undefined }
  const logger = {
    error: ({ err }: { readonly err?: unknown }) => onBug(err),
    warn: () => undefined,
    info: () => undefined,
    debug: () => undefined,
  } as unknown as Logger
  const access = {
    platform: platformsOf(process),
    costsOf: () => undefined,
    pauses: NO_PAUSES,
    publicMedia: NO_OWN_MEDIA,
    run: (_account, leftMs, signal, work) => work({ clock, signal, leftMs } as unknown as SimulatedIo),
  } as Partial<PlatformAccess> as PlatformAccess
  const deps = { log: log.by(process), clock }
  return {
    schedule: scheduleReactor({ ...deps, graceMs: GRACE_MS }),
    publish: publishReactor({
      ...deps,
      ...{ access, logger, policy: POLICY },
      // No two captions are alike.
      alike: {
        others: () => async () => ({ ruledOut: new Set<string>(), doubt: 'none' }),
        lostUntil: async () => undefined,
      },
      relay: () => Promise.reject(new Error('nothing is relayed')),
    }),
  }
}
