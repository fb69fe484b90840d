import { startService } from '../../app/wiring/service.ts'
import { openCore } from '../../app/wiring/core.ts'
import { platforms } from '../../platforms/registry.ts'
import { platformAccess } from '../../reactors/platform-calls/platform-access.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { readSettings, ROLES } from '../../infra/runtime/settings.ts'
import { runAsChild } from './child.ts'
import { instantPlatform } from './instant-platform.ts'

/* The service as run by `fanfare serve --roles projections,reactors`, or one of these, except for a Bluesky that accepts everything instantly. */

const asked = (process.env['BENCH_ROLES'] ?? 'projections,reactors').split(',')
const settings = readSettings(process.env)
const core = await openCore(settings, createLogger(settings.LOG_LEVEL), () => undefined)
const access = platformAccess({
  ...core,
  apps: core.access.apps,
  costsOf: core.access.costsOf,
  platforms: { ...platforms, bluesky: instantPlatform },
})
const service = await startService(
  { ...core, access },
  ROLES.filter((role) => asked.includes(role)),
)
await runAsChild({ url: 'none', key: 'none' })
await service.stop()
await core.close()
