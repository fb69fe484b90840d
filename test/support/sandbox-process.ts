import { systemClock } from '../../infra/runtime/clock.ts'
import { randomIds } from '../../infra/runtime/ids.ts'
import { startSandbox } from '../../packages/sandbox/index.ts'

/** A sandbox as a process of its own, to be killed. Writes its address to standard output. */
const [dataDir = ''] = process.argv.slice(2)
const ids = randomIds(systemClock.now)
const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', dataDir, clock: systemClock, ids })
process.stdout.write(`${sandbox.url}\n`)
