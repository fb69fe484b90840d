import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { hasNats } from './support/nats-server.ts'
import { QUICK } from './chaos/load/places.ts'
import { judge, RULES, type RuleName } from './chaos/rules/index.ts'
import { run } from './chaos/run.ts'
import { sometimes } from './chaos/sometimes.ts'

/* A short run of what `npm run chaos` does (docs/reliability.md). */

/** Each process once. */
const KILLS = 6
const MS = 9_000

t.test(
  `given a service whose parts are killed ${KILLS} times, held and cut off, then all promises are kept`,
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'fanfare-chaos-'))
    t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
    const progress = (line: string) => t.comment(line)
    const faults = { seed: 1, ms: MS, kills: KILLS, pauses: 1, networkFaults: 3 }
    const evidence = await run(t, { folder, progress, places: QUICK, ...faults })
    for (const [what, times] of Object.entries(sometimes(evidence))) t.comment(`${what}: ${times}`)
    for (const [name, broken] of Object.entries(judge(evidence))) t.same(broken, [], RULES[name as RuleName].name)
    t.ok(evidence.requested.posts.size > 0, 'posts came in')
    const killed = evidence.outages.flatMap(({ kind, victim }) => (kind === 'kill' ? [victim] : []))
    t.equal(new Set(killed).size, hasNats() ? 6 : 5, 'each process is killed')
  },
)
