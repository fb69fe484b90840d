import t from 'tap'
import type { Platform } from '../platforms/kit/platform.ts'
import type { Invariant } from './simulation/invariants.ts'
import { simulate, type Simulated } from './simulation/simulate.ts'

/** As many as docs/reliability.md says. */
const SEEDS = 10_000

t.test(`given any of ${SEEDS} seeds, when everything fails that may, then every invariant is kept`, async (t) => {
  const happened = new Map<string, number>()
  const breaches: string[] = []
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { broken, counts } = await simulate(seed)
    for (const [invariant, found] of Object.entries(broken)) {
      breaches.push(...found.map((what) => `npm run simulate -- --seed ${seed} --trace: ${invariant} ${what}`))
    }
    for (const [what, count] of Object.entries(counts)) happened.set(what, (happened.get(what) ?? 0) + count)
  }
  t.same(breaches, [])
  for (const [what, count] of happened) t.ok(count > 1_000, `${what}: ${count}`)
})

t.test('given a seed, then the same happens again, and another is another', async (t) => {
  const again: readonly Simulated[] = [await simulate(42), await simulate(42), await simulate(43)]
  t.same(again[0], again[1])
  t.notSame(again[0]?.trace, again[2]?.trace)
})

/** Connectors that are wrong about their platform, and what it breaks. */
const SPOILED: Readonly<Record<string, readonly [spoil: (platform: Platform) => Platform, breaks: Invariant]>> = {
  'sees no post': [
    (platform) => ({ ...platform, ...(platform.find && { find: async () => ({ outcome: 'absent' as const }) }) }),
    'A post is live at most once on each account.',
  ],
  'believes that repeating is harmless': [
    (platform) => ({ ...platform, proof: { image: 'idempotent-key' } }),
    'A post is live at most once on each account.',
  ],
  'takes a lost response for a failure': [
    (platform) => ({
      ...platform,
      publish: (...asked) =>
        platform.publish(...asked).catch((error: Error) => Promise.reject(Object.assign(error, { kind: 'retryable' }))),
    }),
    'A post is live at most once on each account.',
  ],
  'takes a lost response for a refusal': [
    (platform) => ({
      ...platform,
      publish: (...asked) =>
        platform.publish(...asked).catch((error: Error) => Promise.reject(Object.assign(error, { kind: 'permanent' }))),
    }),
    'What is shown as published is live, and what is shown as failed is not.',
  ],
  'says that it has published and does not': [
    (platform) => ({
      ...platform,
      publish: async () => ({ outcome: 'published', published: { postId: 'none' } }),
    }),
    'What is shown as published is live, and what is shown as failed is not.',
  ],
  'asks for another look for ever': [
    (platform) => ({
      ...platform,
      prepare: async (_job, _io, handle = { id: 'h' }) => ({ outcome: 'processing', handle, lookAgainMs: 1_000 }),
    }),
    'What was accepted reaches an outcome.',
  ],
  'throws what it should not': [
    (platform) => ({ ...platform, prepare: () => Promise.reject(new TypeError('a bug')) }),
    'Nothing fails in a way that the code does not expect.',
  ],
}

for (const [what, [spoil, invariant]] of Object.entries(SPOILED)) {
  t.test(`given a connector that ${what}, then some seed breaks: ${invariant}`, async (t) => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const { broken } = await simulate(seed, { spoil })
      if (broken[invariant].length > 0) return t.pass(`seed ${seed}: ${broken[invariant][0]}`)
    }
    t.fail('no seed of 300 does')
  })
}
