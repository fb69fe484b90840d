import { join } from 'node:path'
import { restoreHold } from '../../infra/postgres/restores.ts'
import { openCore, whenReachable } from '../wiring/core.ts'
import { startSandbox, type Sandbox } from '../../packages/sandbox/index.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { randomIds } from '../../infra/runtime/ids.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { secretsOf } from '../../infra/runtime/setting-secrets.ts'
import { readSettings, ROLES, type Role, type Settings } from '../../infra/runtime/settings.ts'
import { traceOfLine } from '../telemetry/tracing.ts'
import { setUpDemo } from './demo.ts'
import { startObservation } from './observation.ts'
import { holdRestored } from './restore/hold-restored.ts'
import { keepNoting } from './restore/log-head.ts'
import { startService } from '../wiring/service.ts'
import { welcome } from './welcome.ts'

const STOP_TIMEOUT_MS = 25_000

/** `fanfare serve`: runs until SIGTERM or SIGINT, then exits with 0; a second signal exits immediately. */
export async function serve(options: { readonly roles?: readonly Role[]; readonly restored?: true }): Promise<void> {
  const settings = readSettings(process.env)
  const roles = options.roles ?? ROLES
  const say = (message: string) => process.stderr.write(`${message}\n`)
  const logger = createLogger(settings.LOG_LEVEL, undefined, { secrets: secretsOf(settings), context: traceOfLine })
  const observation = startObservation(settings, logger)

  const sandbox = await startOwnSandbox(settings, roles)
  // Its port may have just been picked, and the outbound guard must know it.
  const known = sandbox ? { ...settings, SANDBOX_PORT: Number(new URL(sandbox.url).port) } : settings
  const progress = (message: string) => say(`… ${message}`)
  const core = await openCore(known, logger, progress, observation)
  try {
    const { DATA_DIR: dataDir } = settings
    await whenReachable(() => holdRestored(core, dataDir, options.restored ?? false), core.clock, progress)
    if (await whenReachable(() => restoreHold(core.db), core.clock, progress)) {
      say('The log was restored. Nothing is sent until you run: fanfare restore release')
    }
    await whenReachable(() => core.projector.catchUp(), core.clock, progress)
    const stopping = new AbortController()
    const service = await startService(core, roles, observation.metrics)
    // Before it says that it runs: a script that reads it may send SIGTERM at once.
    const stopped = stopSignal()
    const noting = keepNoting({ ...core, dataDir }, stopping.signal)
    const demo =
      sandbox && !settings.DATABASE_URL ? await setUpDemo(core, sandbox.url, settings.DEMO_HISTORY === 'on') : undefined
    if (service.url) process.stdout.write(welcome({ url: service.url, sandboxUrl: sandbox?.url, demo }))
    else say(`Fanfare is running: ${roles.join(', ')}`)
    await stopped
    say('… stopping: work in progress is finished or released')
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
    await service.stop()
    stopping.abort()
    await noting
  } finally {
    await sandbox?.close()
    await core.close()
    await observation.close()
  }
}

async function startOwnSandbox(settings: Settings, roles: readonly Role[]): Promise<Sandbox | undefined> {
  if (settings.SANDBOX !== 'on' || !roles.includes('reactors')) return undefined
  return startSandbox({
    port: settings.SANDBOX_PORT,
    host: settings.SANDBOX_HOST,
    dataDir: join(settings.DATA_DIR, 'sandbox'),
    clock: systemClock,
    ids: randomIds(systemClock.now),
  })
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      process.once('SIGINT', () => process.exit(130))
      resolve()
    }
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
  })
}
