import { addKey } from '../cli/keys.ts'
import { startService } from '../cli/serve.ts'
import { addWorkspace } from '../cli/workspaces.ts'
import { openCore } from '../main.ts'
import { createLogger } from '../system/logger.ts'
import { readSettings } from '../system/settings.ts'
import { runAsChild } from './child.ts'

/* The service as `fanfare serve --roles api,projections` runs it, with a key. */

const settings = readSettings(process.env)
const core = await openCore(settings, createLogger(settings.LOG_LEVEL), () => undefined)
const service = await startService(core, ['api', 'projections'])
const { id: workspace } = await addWorkspace(core, 'bench')
const { key } = await addKey(core, { workspace, scopes: 'posts:read,posts:write' })
await runAsChild({ url: `${service.url}/v1/posts`, key })
await service.stop()
await core.close()
