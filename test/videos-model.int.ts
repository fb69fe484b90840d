import t from 'tap'
import fc from 'fast-check'
import { grantCredits } from '../commands/credits.ts'
import { fold, handle, load } from '../commands/handle.ts'
import { orderVideo } from '../commands/order-video.ts'
import { deleteVideo } from '../commands/video.ts'
import type { StreamKind } from '../domain/core/event.ts'
import { chargeOf, credits, type CreditsEvent, type CreditsState } from '../domain/video/credits.ts'
import { Refusal } from '../domain/core/errors.ts'
import { planVideo, priceOf } from '../domain/video/video-plan.ts'
import { video } from '../domain/video/video.ts'
import { closeBooksReactor } from '../reactors/videos/close-books.ts'
import { refundReactor } from '../reactors/videos/refund.ts'
import { renderVideoReactor } from '../reactors/videos/render-video.ts'
import { endlessRoom } from './support/media-room.ts'
import { dyingLog } from './support/dying-log.ts'
import { countingProvider, givenMedia, type Mood } from './support/generation.ts'
import { memoryAgenda } from './support/memory-agenda.ts'
import { memoryLog, memoryLogData } from './support/memory-log.ts'
import { virtualClock } from './support/virtual-clock.ts'
import { causedBy } from './support/world.ts'

/*
 * One workspace that orders videos and deletes them, beside a service that is restarted, races itself, works by old rows and
 * dies under any of its appends, and providers that refuse, are busy, fail, and whose answers are lost.
 */

const WORKSPACE = 'ws_1'
const PRICES = { perScene: 2, voiceover: 3 }
const HOUR = 3_600_000
const MOST_VIDEOS = 6

const nth = fc.nat(6)
const moment = fc.constantFrom('before' as const, 'after' as const)
const order = { video: fc.nat(MOST_VIDEOS - 1), scenes: fc.integer({ min: 1, max: 3 }), voiceover: fc.boolean() }
const step = fc.oneof(
  fc.record({ act: fc.constant('grant' as const), amount: fc.integer({ min: 1, max: 40 }) }),
  {
    arbitrary: fc.record({ act: fc.constant('order' as const), ...order, callers: fc.integer({ min: 1, max: 3 }) }),
    weight: 3,
  },
  fc.record({ act: fc.constant('order and die' as const), ...order, nth: fc.nat(1), moment }),
  fc.record({ act: fc.constant('delete' as const), video: fc.nat(MOST_VIDEOS - 1) }),
  { arbitrary: fc.record({ act: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 60_000 }) }), weight: 3 },
  {
    arbitrary: fc.record({
      act: fc.constant('work' as const),
      workers: fc.integer({ min: 1, max: 3 }),
      stale: fc.boolean(),
    }),
    weight: 4,
  },
  { arbitrary: fc.record({ act: fc.constant('die' as const), nth, moment }), weight: 4 },
  fc.record({
    act: fc.constant('moods' as const),
    moods: fc.array(fc.constantFrom<Mood>('well', 'refuse', 'busy', 'taken', 'lost'), { maxLength: 6 }),
  }),
  fc.record({ act: fc.constant('fail' as const), failing: fc.boolean() }),
  fc.record({ act: fc.constant('restart' as const) }),
)
const steps = fc.array(step, { minLength: 20, maxLength: 60, size: 'max' })

function givenService(proof: 'idempotent-key' | 'opaque') {
  const clock = virtualClock()
  const data = memoryLogData()
  const log = memoryLog(data)
  const owed = memoryAgenda(data)
  const provider = countingProvider(proof)
  const { files, store, media } = givenMedia()
  let token = 0
  const run = async (by: typeof log, workers: number) => {
    const { videoModel, speechModel } = provider
    const reactors = {
      video: renderVideoReactor({
        ...{ log: by, clock, videoModel, speechModel, media, store, room: endlessRoom, secret: Buffer.alloc(32, 1) },
        ...{ policy: { delaysMs: [1_000, 10_000] }, jobTimeoutMs: HOUR },
      }),
      refund: refundReactor({ log: by, clock }),
      // As often as the other work, so that it meets every state.
      books: closeBooksReactor({ log: by, clock }),
    }
    for (const row of owed.rows.values()) {
      if (row.kind !== 'video' && row.kind !== 'refund' && row.kind !== 'books') continue
      if (row.kind !== 'books' && Date.parse(row.dueAt) > clock.now()) continue
      const reactor = reactors[row.kind]
      const tries = Array.from({ length: workers }, () =>
        reactor({ ...row, token: `t${(token += 1)}` }, new AbortController().signal),
      )
      await Promise.allSettled(tries)
    }
  }
  const work = async (workers: number, stale: boolean) => {
    if (stale) await run(log, workers)
    owed.catchUp()
    await run(log, workers)
    owed.catchUp()
  }
  return {
    ...{ clock, log, provider, files, work },
    owed: () => [...owed.rows.values()].filter(({ kind }) => kind === 'video' || kind === 'refund'),
    events: () => data.events,
    die: async (nth: number, moment: 'before' | 'after') => {
      owed.catchUp()
      await run(dyingLog(log, nth, moment), 1)
    },
    restart: owed.forget,
    drain: async () => {
      owed.forget()
      for (let rounds = 0; rounds < 200; rounds += 1) {
        await work(1, false)
        await clock.advanceTo(clock.now() + 60_000)
      }
    },
  }
}

type Service = ReturnType<typeof givenService>

/** What the log says of the ledger, added up again. @returns why it is wrong */
function wrongInLedger(service: Service, granted: number): string | undefined {
  const entries = service
    .events()
    .filter(({ stream }) => stream === `credits-${WORKSPACE}`) as unknown as CreditsEvent[]
  let balance = 0
  const open = new Map<string, number>()
  for (const { type, data } of entries) {
    if (type === 'CreditsClosed') {
      if (balance !== data.balance) return `the books were closed with ${data.balance} where ${balance} are left`
      continue
    }
    balance += type === 'CreditsCharged' ? -data.amount : data.amount
    if (balance < 0) return 'overdrawn'
    if (balance !== data.balance) return `an entry says ${data.balance} where ${balance} are left`
    if (type === 'CreditsCharged') {
      if (open.has(data.videoId)) return `${data.videoId} was charged twice`
      open.set(data.videoId, data.amount)
    }
    if (type === 'CreditsRefunded') {
      if (open.get(data.videoId) !== data.amount) return `${data.videoId} was paid back otherwise than charged`
      open.set(data.videoId, 0)
    }
  }
  const spent = [...open.values()].reduce((sum, amount) => sum + amount, 0)
  return balance + spent === granted ? undefined : `${granted} were granted, ${balance} are left, ${spent} are spent`
}

/** The ledger as if its books had never been closed. */
const neverClosed: StreamKind<CreditsState, CreditsEvent> = {
  ...credits,
  evolve: (state, event, metadata) => (event.type === 'CreditsClosed' ? state : credits.evolve(state, event, metadata)),
}

async function wrongInTheEnd(service: Service, ids: readonly string[]): Promise<string | undefined> {
  const stay = service.owed()
  if (stay.length > 0) return `still owed: ${JSON.stringify(stay)}`
  const has = (id: string, type: string) =>
    service.events().some((event) => event.stream === `video-${id}` && event.type === type)
  const whole = await service.log.read(`credits-${WORKSPACE}`)
  const ledger = fold(neverClosed, whole)
  for (const id of ids) {
    const state = await load(service.log, video, id)
    const charge = chargeOf(ledger, id)
    if (state.status === 'absent') {
      if (charge) return `${id} was charged and never begun`
      continue
    }
    if (state.status === 'deleted' && state.was === 'absent') {
      if (charge?.isRefunded !== true) return `${id} was canceled and not refunded`
      continue
    }
    const isCancelled = state.status === 'deleted' && state.was === 'processing'
    const isFailed = has(id, 'VideoFailed')
    if (charge?.isRefunded !== (isCancelled || isFailed))
      return `${id} is ${state.status}, its charge ${JSON.stringify(charge)}`
    if (state.status === 'processing') return `${id} has not ended`
    if (state.status === 'deleted' && !has(id, 'VideoFilesDeleted')) return `the files of ${id} may still be there`
  }
  const kept = await Promise.all(ids.map(async (id) => (await load(service.log, video, id)).status))
  if (kept.every((status) => status === 'deleted' || status === 'absent') && service.files.size > 0)
    return 'files are left'
  for (const [key, times] of service.provider.begun()) if (times > 1) return `${key} was begun ${times} times`
  return undefined
}

for (const proof of ['opaque', 'idempotent-key'] as const) {
  t.test(
    `given a provider with ${proof}, whatever is ordered, deleted, refused, lost and killed, then every charge has a video or is paid back once, and no work is paid twice`,
    async (t) => {
      const seen = { ready: 0, failed: 0, deleted: 0, refused: 0 }
      await fc.assert(
        fc.asyncProperty(steps, async (all) => {
          const service = givenService(proof)
          const { clock, log, provider } = service
          const ids = Array.from({ length: MOST_VIDEOS }, (_, index) => `vid_${index}`)
          let granted = 0
          let commands = 0
          const cause = () => causedBy(`${(commands += 1)}`)
          const place = async (
            by: typeof log,
            { video: index, scenes, voiceover }: { video: number; scenes: number; voiceover: boolean },
          ) => {
            const wish = {
              prompt: 'A cat',
              scenes: Array.from({ length: scenes }, () => ({})),
              aspectRatio: '9:16',
            } as const
            const settings = planVideo(WORKSPACE, { ...wish, aiVoiceover: voiceover })
            const order = { settings, amount: priceOf(settings, PRICES) }
            await orderVideo({ log: by, clock }, ids[index] ?? '', order, cause()).catch((error: unknown) => {
              if (error instanceof Refusal) seen.refused += 1
            })
          }
          for (const step of all) {
            if (step.act === 'grant') {
              granted += step.amount
              await handle({ log, clock }, credits, WORKSPACE, cause(), (state) =>
                grantCredits(state, { workspaceId: WORKSPACE, amount: step.amount }),
              )
            } else if (step.act === 'order') {
              await Promise.all(Array.from({ length: step.callers }, () => place(log, step)))
            } else if (step.act === 'order and die') await place(dyingLog(log, step.nth, step.moment), step)
            else if (step.act === 'delete') {
              await handle({ log, clock }, video, ids[step.video] ?? '', cause(), deleteVideo).catch(() => undefined)
            } else if (step.act === 'pass') await clock.advanceTo(clock.now() + step.ms)
            else if (step.act === 'work') await service.work(step.workers, step.stale)
            else if (step.act === 'die') await service.die(step.nth, step.moment)
            else if (step.act === 'moods') provider.script(step.moods)
            else if (step.act === 'fail') provider.fail(step.failing)
            else service.restart()
          }
          await service.drain()
          const wrong = wrongInLedger(service, granted) ?? (await wrongInTheEnd(service, ids))
          if (wrong !== undefined) throw new Error(wrong)
          for (const id of ids) {
            const { status } = await load(log, video, id)
            if (status === 'ready' || status === 'failed' || status === 'deleted') seen[status] += 1
          }
        }),
        { numRuns: 500 },
      )
      t.comment(JSON.stringify(seen))
      t.ok(Math.min(...Object.values(seen)) > 50, 'each end was come to')
    },
  )
}
