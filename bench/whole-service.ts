import { startService } from '../cli/serve.ts'
import { openCore } from '../main.ts'
import { createLogger } from '../system/logger.ts'
import { readSettings } from '../system/settings.ts'
import { runAsChild } from './child.ts'

/* The service as `fanfare serve` runs it with a database of its own: all roles in one process, no sandbox. */

const settings = readSettings(process.env)
const core = await openCore(settings, createLogger(settings.LOG_LEVEL), () => undefined)
const service = await startService(core, ['api', 'projections', 'reactors'])
await runAsChild({ url: `${service.url}/v1`, key: 'none' })
await service.stop()
await core.close()
