import * as fc from 'fast-check'
import t from 'tap'
import { createTurns } from '../api/http/turns.ts'
import { createSlots } from '../infra/runtime/shares.ts'
import { virtualClock } from './support/virtual-clock.ts'

/** Handlers that end when they are told to, in the order in which they began. */
function handlers() {
  const turns = createTurns(virtualClock())
  const begun: { readonly workspace: string; readonly end: () => void }[] = []
  const ask = (workspace: string) =>
    turns.run(workspace, () => new Promise<void>((end) => begun.push({ workspace, end })))
  return { begun, ask, names: () => begun.map(({ workspace }) => workspace) }
}
const settled = () => new Promise(setImmediate)

t.test('a request begins when one of another workspace ends, whatever waits before it', async (t) => {
  const { begun, ask, names } = handlers()
  const busy = Array.from({ length: 500 }, () => ask('busy'))
  await settled()
  t.equal(begun.length, 64, 'as many as begin together')
  const calm = ask('calm')
  const ended = begun.splice(0)
  for (const { end } of ended.slice(0, 48)) end()
  await settled()
  t.same(names(), [], 'all that two workspaces have together is still in use')
  ended[48]?.end()
  await settled()
  t.same(names(), ['calm'])
  for (const { end } of ended.slice(49)) end()
  const rest = Promise.all([...busy, calm])
  while (begun.length > 0) {
    t.ok(begun.length <= 16)
    begun.shift()?.end()
    await settled()
  }
  await rest
})

t.test('a lone workspace has all turns', async (t) => {
  const { begun, ask } = handlers()
  void ask('one')
  for (let nth = 1; nth < 64; nth += 1) void ask('one')
  await settled()
  t.equal(begun.length, 64)
})

t.test('handlers that wait for something else give their turns up, and end as they would', async (t) => {
  const clock = virtualClock()
  const turns = createTurns(clock)
  const ends: ((answer: Promise<string>) => void)[] = []
  const stuck = () => new Promise<string>((end) => ends.push(end))
  const answers = Array.from({ length: 64 }, () => turns.run('one', stuck))
  const next = turns.run('one', async () => 'next')
  await settled()
  await clock.advanceTo(clock.now() + 100)
  t.equal(await Promise.race([next, settled().then(() => 'waiting')]), 'waiting')
  await clock.advanceTo(clock.now() + 50)
  t.equal(await next, 'next')
  ends.forEach((end, nth) => end(nth === 0 ? Promise.reject(new Error('failed')) : Promise.resolve(`answer ${nth}`)))
  await t.rejects(answers[0] ?? Promise.resolve(''), { message: 'failed' })
  t.same(
    await Promise.all(answers.slice(1)),
    Array.from({ length: 63 }, (_, nth) => `answer ${nth + 1}`),
  )
})

t.test('a request whose turn comes too late is not run, and leaves the turn to the next', async (t) => {
  let now = 0
  const turns = createTurns({ now: () => now, sleep: () => new Promise(() => undefined) })
  let end = () => {}
  const open = Array.from({ length: 64 }, () => turns.run('one', () => new Promise<void>((resolve) => (end = resolve))))
  let isRun = false
  const late = turns.run('one', async () => void (isRun = true))
  await settled()
  now = 25_001
  const next = turns.run('one', async () => 'next')
  end()
  await t.rejects(late, { name: 'TimedOut' })
  t.notOk(isRun)
  t.equal(await next, 'next')
  t.equal(open.length, 64)
})

t.test('slots: never more in use than there are, none idle while somebody waits, and nobody passed over', async () => {
  const step = fc.oneof(
    fc.record({ take: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ release: fc.nat() }),
    fc.record({ size: fc.integer({ min: 1, max: 5 }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      let size = 3
      const slots = createSlots(() => size)
      const holding: string[] = []
      let asked = 0
      for (const one of steps) {
        const before = holding.length
        if ('take' in one) {
          asked += 1
          void slots.take(one.take).then(() => holding.push(one.take))
        } else if ('size' in one) size = one.size
        else if (holding.length > 0) {
          const [released] = holding.splice(one.release % holding.length, 1)
          if (released !== undefined) slots.release(released)
          asked -= 1
        }
        await settled()
        if (slots.free() !== size - holding.length) throw new Error('a slot is lost')
        if (holding.length > Math.max(size, before)) throw new Error('more are in use than there are')
        if ('release' in one && holding.length < Math.min(size, asked)) throw new Error('a slot is idle')
      }
      while (holding.length > 0) {
        slots.release(holding.pop() ?? '')
        asked -= 1
        await settled()
      }
      if (asked !== 0) throw new Error(`${asked} still wait`)
    }),
  )
})
