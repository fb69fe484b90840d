import { startSandbox } from '../sandbox/index.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { runAsChild } from './child.ts'
import { ids } from './post.ts'

/* The platforms' stand-ins, separate from the measured process. */

const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', clock: systemClock, ids })
await runAsChild({ url: sandbox.url, key: 'none' })
await sandbox.close()
