import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { setUp } from './estate.ts'
import type { ServiceName } from './plan.ts'
import type { ServiceVictim } from './victims.ts'

/** The order of docs/operations.md: what reads the new tables, what works by them, what shows them. */
const ORDER: readonly ServiceName[] = ['projections', 'reactors 1', 'reactors 2', 'api']
/** Of the time of the run, when the rollout begins, and how long two processes of different releases are apart. */
const BEGINS = 0.3
const APART = 0.12

/** A checkout of the previous release, built: its program, and what sets up the workspace of a run. */
export interface Previous {
  readonly program: string
  setUp(environment: NodeJS.ProcessEnv, sandboxUrl: string): ReturnType<typeof setUp>
}

export async function previousRelease(folder: string): Promise<Previous> {
  const load = async <T>(path: string) => (await import(pathToFileURL(join(folder, path)).href)) as T
  const [estate, core, settings, logger] = await Promise.all([
    load<typeof import('./estate.ts')>('test/chaos/estate.ts'),
    load<typeof import('../../app/wiring/core.ts')>('app/wiring/core.ts'),
    load<typeof import('../../infra/runtime/settings.ts')>('infra/runtime/settings.ts'),
    load<typeof import('../../infra/runtime/logger.ts')>('infra/runtime/logger.ts'),
  ])
  return {
    program: join(folder, 'dist/cli/main.js'),
    setUp: (environment, sandboxUrl) =>
      estate.setUp(
        () => core.openCore(settings.readSettings(environment), logger.createLogger('error'), () => undefined),
        sandboxUrl,
      ),
  }
}

/**
 * Replaces the processes of the previous release one after the other while the run goes on.
 *
 * @param parts.prepare migrates, and prepares the read models of this version
 * @param parts.waitUntil resolves at that share of the run's time
 * @param parts.upgrading carries out the upgrade of one process
 */
export async function rollOut(
  services: readonly (readonly [ServiceName, ServiceVictim])[],
  parts: {
    readonly prepare: () => Promise<void>
    readonly waitUntil: (share: number) => Promise<void>
    readonly upgrading: (name: ServiceName, upgrade: () => Promise<void>) => Promise<void>
    readonly progress: (line: string) => void
  },
): Promise<void> {
  await parts.waitUntil(BEGINS)
  parts.progress('the rollout begins: preparing the read models')
  await parts.prepare()
  for (const [index, name] of ORDER.entries()) {
    await parts.waitUntil(BEGINS + APART * (index + 1))
    parts.progress(`upgrading ${name}`)
    const service = services.find(([of]) => of === name)?.[1]
    if (service) await parts.upgrading(name, () => service.upgrade())
  }
}
