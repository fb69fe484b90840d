import fc from 'fast-check'
import t from 'tap'
import { DAYS, tidyPlan, type SlotPlan } from '../domain/core/slot-plan.ts'
import { commonSlots, freeTimes } from '../domain/post/slots.ts'
import { dueAt } from '../domain/post/wall-time.ts'

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago']
const two = (n: number) => String(n).padStart(2, '0')
const slots = fc.array(
  fc.record({
    day: fc.constantFrom(...DAYS),
    time: fc.tuple(fc.nat(23), fc.constantFrom(0, 15, 30)).map(([hour, minute]) => `${two(hour)}:${two(minute)}`),
  }),
  { minLength: 1, maxLength: 8 },
)
const moment = fc.date({ min: new Date('2026-01-01'), max: new Date('2028-12-31'), noInvalidDate: true })

function first(plan: SlotPlan, platforms: readonly string[], now: number, taken = new Set<string>(), count = 12) {
  const times = freeTimes(commonSlots(plan, platforms), plan.timezone, now, taken)
  return Array.from({ length: count }, () => times.next().value).flatMap((due) => due ?? [])
}

t.test('given any plan, when free slots are chosen, then they are ahead, in the plan, free and in order', async () => {
  fc.assert(
    fc.property(slots, fc.constantFrom(...ZONES), moment, (list, timezone, from) => {
      const plan = tidyPlan({ timezone, default: list, platforms: {} })
      const all = first(plan, ['x'], from.getTime())
      const taken = new Set(all.filter((_, n) => n % 2 === 0).map((due) => due.dueAt))
      for (const [n, due] of all.entries()) {
        if (Date.parse(due.dueAt) <= from.getTime()) return false
        if (n > 0 && due.dueAt <= (all[n - 1]?.dueAt ?? '')) return false
        const day = DAYS[(new Date(`${due.date}T00:00Z`).getUTCDay() + 6) % 7]
        if (!plan.default.some((slot) => slot.day === day && slot.time === due.time)) return false
        if (due.dueAt !== dueAt(due.date, due.time, timezone).dueAt) return false
      }
      const left = first(plan, ['x'], from.getTime(), taken, 6).map((due) => due.dueAt)
      return left.every((at) => !taken.has(at)) && left[0] === all[1]?.dueAt
    }),
    { numRuns: 60 },
  )
})

t.test('given clocks that change, when a slot is skipped or occurs twice, then it is used once', async (t) => {
  const plan = tidyPlan({ timezone: 'Europe/Berlin', default: [{ day: 'sunday', time: '02:30' }], platforms: {} })
  const from = (at: string) => first(plan, ['x'], Date.parse(at), new Set(), 2).map((due) => due.dueAt)
  t.same(from('2026-03-28T12:00Z'), ['2026-03-29T01:30:00.000Z', '2026-04-05T00:30:00.000Z'])
  t.same(from('2026-10-24T12:00Z'), ['2026-10-25T00:30:00.000Z', '2026-11-01T01:30:00.000Z'])
})

t.test('given plans of platforms, when a post is for several, then only common slots count', async (t) => {
  const [nine, ten] = [{ day: 'monday', time: '09:00' } as const, { day: 'monday', time: '10:00' } as const]
  const plan = tidyPlan({
    timezone: 'UTC',
    default: [ten, nine, nine],
    platforms: { x: [ten], threads: [nine], tiktok: [] },
  })
  t.same(plan.default, [nine, ten])
  t.same(commonSlots(plan, ['facebook', 'x']), [ten])
  t.same(commonSlots(plan, ['facebook']), [nine, ten])
  t.throws(() => commonSlots(plan, ['x', 'threads']), { code: 'invalid_request', message: /x, threads have no slot/ })
  t.throws(() => commonSlots(plan, ['tiktok']), { message: /tiktok has no slots/ })
  t.throws(() => commonSlots(undefined, ['x']), { message: /scheduledFor .*PUT \/v1\/slots/ })
})

t.test('given a plan whose every slot is taken for a year, when one is chosen, then there is none', async (t) => {
  const plan = tidyPlan({ timezone: 'UTC', default: [{ day: 'monday', time: '09:00' }], platforms: {} })
  const all = first(plan, ['x'], 0, new Set(), 100)
  t.equal(all.length, 52)
  t.same(first(plan, ['x'], 0, new Set(all.map((due) => due.dueAt))), [])
})
