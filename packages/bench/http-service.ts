import { addKey } from '../../app/cli/keys.ts'
import { startService } from '../../app/wiring/service.ts'
import { addWorkspace } from '../../app/cli/workspaces.ts'
import { openCore } from '../../app/wiring/core.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { readSettings } from '../../infra/runtime/settings.ts'
import { runAsChild } from './child.ts'

/* The service as run by `fanfare serve --roles api,projections`, with a key. */

const settings = readSettings(process.env)
const core = await openCore(settings, createLogger(settings.LOG_LEVEL), () => undefined)
const service = await startService(core, ['api', 'projections'])
const { id: workspace } = await addWorkspace(core, 'bench')
const { key } = await addKey(core, { workspace, scopes: 'posts:read,posts:write' })
await runAsChild({ url: `${service.url}/v1/posts`, key })
await service.stop()
await core.close()
