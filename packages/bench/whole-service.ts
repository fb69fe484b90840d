import { startService } from '../../app/wiring/service.ts'
import { openCore } from '../../app/wiring/core.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { readSettings } from '../../infra/runtime/settings.ts'
import { runAsChild } from './child.ts'

/* The service as run by `fanfare serve` with its own database: all roles in one process, no sandbox. */

const settings = readSettings(process.env)
const core = await openCore(settings, createLogger(settings.LOG_LEVEL), () => undefined)
const service = await startService(core, ['api', 'projections', 'reactors'])
await runAsChild({ url: `${service.url}/v1`, key: 'none' })
await service.stop()
await core.close()
