import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { judge, RULES, type RuleName } from './chaos/rules/index.ts'
import { run } from './chaos/run.ts'
import { sometimes } from './chaos/sometimes.ts'

/* A short run of what `npm run chaos` does (docs/reliability.md). */

t.setTimeout(600_000)

const KILLS = 10
const MS = 20_000

t.test(
  `given a service whose parts are killed ${KILLS} times, held and cut off, then all promises are kept`,
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'fanfare-chaos-'))
    t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
    const progress = (line: string) => t.comment(line)
    const evidence = await run(t, { folder, progress, seed: 1, ms: MS, kills: KILLS, pauses: 2, networkFaults: 5 })
    for (const [what, times] of Object.entries(sometimes(evidence))) t.comment(`${what}: ${times}`)
    for (const [name, broken] of Object.entries(judge(evidence))) t.same(broken, [], RULES[name as RuleName].name)
    t.ok(evidence.wishes.posts.size > 0, 'posts came in')
  },
)
