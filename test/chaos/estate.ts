import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { automate } from '../../app/cli/accounts.ts'
import { grant } from '../../app/cli/credits.ts'
import { DEMO_WORKSPACE, setUpDemo } from '../../app/cli/demo.ts'
import { openCore, type Core } from '../../app/wiring/core.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { readSettings } from '../../infra/runtime/settings.ts'
import { givenEventStoreDb } from '../support/eventstoredb-server.ts'
import { runCommand } from '../support/service-process.ts'
import { givenNatsServer, hasNats } from '../support/nats-server.ts'
import { freePort } from '../support/free-port.ts'
import { faultProxy, type FaultProxy } from './fault-proxy.ts'
import { AUTOMATED } from './load/comments.ts'
import { SERVERS, SERVICES, type ServerName, type ServiceName, type VictimName } from './plan.ts'
import { givenPostgres } from './postgres.ts'
import { LADDER_MS } from './rules/webhooks.ts'
import { previousRelease } from './rollout.ts'
import { networkOf } from './strike.ts'
import { postgresVictim, serverVictim, serviceVictim, type ServiceVictim, type Victim } from './victims.ts'

export type Teardown = Pick<Test, 'teardown'>

/** The service as users run it with several processes, each behind networks of its own, and the world around it. */
export interface Estate {
  readonly port: number
  readonly apiKey: string
  readonly accounts: Readonly<Record<string, string>>
  readonly sandboxUrl: string
  readonly victims: Readonly<Partial<Record<VictimName, Victim>>>
  readonly servers: readonly ServerName[]
  readonly services: readonly (readonly [ServiceName, ServiceVictim])[]
  readonly networks: ReadonlyMap<string, FaultProxy>
  /** What processes that were not killed said before they ended. */
  readonly endedThemselves: readonly string[]
  /** Asks all services to end, and returns what went wrong. */
  stop(): Promise<readonly string[]>
  /** Migrates and prepares the read models of this version while the previous release serves. */
  prepareUpgrade(): Promise<void>
  /** Past the networks. */
  openCore(): Promise<Core>
}

export interface EstateOptions {
  readonly isNamedStack?: boolean | undefined
  readonly previous?: string | undefined
}

const ROLES: Readonly<Record<ServiceName, string>> = {
  ...{ api: 'api', projections: 'projections', 'reactors 1': 'reactors', 'reactors 2': 'reactors' },
}
const CREDITS = '1000000'
const PREPARE_TRIES = 10
const PORT = /:(\d+)(?=[/?]|$)/

/**
 * @param folder an empty one, for all data
 * @param options.isNamedStack EventStoreDB, not Postgres, is the log
 * @param options.previous the folder of the previous release, of which all processes are at first
 */
export async function givenEstate(
  t: Teardown,
  folder: string,
  progress: (line: string) => void,
  { isNamedStack = false, previous: folderOfPrevious }: EstateOptions = {},
): Promise<Estate> {
  const previous = folderOfPrevious === undefined ? undefined : await previousRelease(folderOfPrevious)
  // Run by root, Postgres runs as somebody else, who has to get there.
  await chmod(folder, 0o711)
  const [databaseDir, dataDir] = [join(folder, 'database'), join(folder, 'data')]
  await Promise.all([mkdir(databaseDir), mkdir(dataDir)])
  progress('starting the servers and the sandbox')
  const [postgres, store, nats, sandboxUrl, port] = await Promise.all([
    givenPostgres(t, databaseDir),
    isNamedStack ? givenEventStoreDb(t) : undefined,
    hasNats() ? givenNatsServer(t) : undefined,
    givenSandbox(t, join(folder, 'sandbox')),
    freePort(),
  ])
  if (!nats) progress('no nats-server in PATH: running without NATS')
  const shared = {
    DATA_DIR: dataDir,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    SANDBOX: 'elsewhere',
    SANDBOX_PORT: new URL(sandboxUrl).port,
    OUTBOUND_ALLOW: '127.0.0.1',
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_PER_DAY: '100000000',
    AUTO_REPLIES_PER_HOUR: '1000000',
    // A post that is killed in the middle of its call again and again is not given up meanwhile.
    RETRY_DELAYS: Array(300).fill('1s').join(','),
    WEBHOOK_RETRY_DELAYS: LADDER_MS.map((ms) => `${ms}ms`).join(','),
    LOG_LEVEL: 'warn',
    PORT: String(port),
  }
  const own = {
    ...shared,
    DATABASE_URL: postgres.connectionString,
    ...(store && { EVENTSTORE_URL: store.connectionString }),
  }
  const direct = () => openCore(readSettings(own), createLogger('error'), () => undefined)

  progress('setting up a workspace')
  const { apiKey, accounts } = await (previous?.setUp(own, sandboxUrl) ?? setUp(direct, sandboxUrl))

  const networks = new Map<string, FaultProxy>()
  const via = async (client: string, server: string, url: string) => {
    const proxy = await faultProxy(Number(PORT.exec(url)?.[1]))
    t.teardown(() => proxy.close())
    networks.set(networkOf(client, server), proxy)
    return url.replace(PORT, `:${proxy.port}`)
  }
  const endedThemselves: string[] = []
  const services: [ServiceName, ServiceVictim][] = []
  for (const name of SERVICES) {
    const environment = {
      ...process.env,
      ...shared,
      NODE_NAME: name,
      DATABASE_URL: await via(name, 'postgres', postgres.connectionString),
      ...(store && { EVENTSTORE_URL: await via(name, 'eventstoredb', store.connectionString) }),
      ...(nats && { NATS_URL: await via(name, 'nats', nats.url) }),
    }
    const home = { dataDir, port, sandboxPort: Number(shared.SANDBOX_PORT), environment }
    const unasked = (what: string) => void endedThemselves.push(`${name} exited: ${what}`)
    services.push([name, serviceVictim(home, ROLES[name], { program: previous?.program, unasked })])
  }
  t.teardown(() => Promise.all(services.map(([, service]) => service.kill())))
  progress('starting the service')
  await Promise.all(services.map(([, service]) => service.revive(false)))

  const victims: Partial<Record<VictimName, Victim>> = {
    ...Object.fromEntries(services),
    postgres: postgresVictim(postgres),
    ...(store && { eventstoredb: serverVictim({ ...store, kill: store.stop }) }),
    ...(nats && { nats: serverVictim(nats) }),
  }
  return {
    ...{ port, apiKey, accounts, sandboxUrl, services, networks, endedThemselves, victims, openCore: direct },
    servers: SERVERS.filter((name) => victims[name]),
    stop: async () => {
      const codes = await Promise.all(services.map(async ([name, service]) => [name, await service.stop()] as const))
      return codes.filter(([, code]) => code !== 0).map(([name, code]) => `${name} exited with ${code} when stopped`)
    },
    prepareUpgrade: async () => {
      const environment = { ...process.env, ...own }
      const home = { dataDir, port, sandboxPort: Number(shared.SANDBOX_PORT), environment }
      // Postgres may be killed meanwhile.
      for (let tries = 1; ; tries += 1) {
        const { code, stderr } = await runCommand(home, ['projections', 'rebuild'])
        if (code === 0) return
        if (tries === PREPARE_TRIES) throw new Error(`the read models could not be prepared: ${stderr}`)
      }
    },
  }
}

/** The demo workspace, with credits, and an account that answers comments. */
export async function setUp(direct: () => Promise<Core>, sandboxUrl: string) {
  const core = await direct()
  const done = new AbortController()
  const projecting = core.projector.run(done.signal)
  try {
    const { accounts, key } = await setUpDemo(core, sandboxUrl, false)
    await grant(core, { workspace: DEMO_WORKSPACE, amount: CREDITS })
    await automate(core, accounts[AUTOMATED] ?? '', { mode: 'auto' })
    return { accounts: { ...accounts } as Readonly<Record<string, string>>, apiKey: key ?? '' }
  } finally {
    done.abort()
    await projecting
    await core.close()
  }
}

/** A process of its own, which is not killed: what it has seen it remembers. */
export async function givenSandbox(t: Teardown, dataDir: string): Promise<string> {
  const script = fileURLToPath(new URL('../support/sandbox-process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import=tsx', script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: fileURLToPath(new URL('..', import.meta.url)),
  })
  t.teardown(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  const [url] = (await once(child.stdout, 'data')) as [Buffer]
  return url.toString().trim()
}
