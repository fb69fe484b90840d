import { openCore, type Core } from '../wiring/core.ts'
import { checkpointsIn } from '../../projections/engine/checkpoints.ts'
import { projections } from '../../projections/models/index.ts'
import { layOutTables } from '../../projections/engine/tables.ts'
import { versionOf } from '../../projections/engine/version.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { readSettings, SettingsError, type Settings } from '../../infra/runtime/settings.ts'
import { fault, ok, reasonOf, type Finding } from './doctor/finding.ts'
import { examineCosts } from './doctor/costs.ts'
import { examineHistory } from './doctor/history.ts'
import { examineKeys } from './doctor/keys.ts'
import { examineParts } from './doctor/parts.ts'
import { examinePeople } from './doctor/people.ts'
import { examinePromises } from './doctor/promises.ts'
import { examineRestored } from './doctor/restored.ts'
import { examineServers } from './doctor/servers.ts'
import { examineShares } from './doctor/shares.ts'
import { examineVersions } from './doctor/versions.ts'
import { healthChecks } from '../wiring/health-checks.ts'

export interface Diagnosis {
  /** Whether there are no problems; warnings do not count. */
  readonly healthy: boolean
  readonly findings: readonly Finding[]
}

/** Remedies for failed checks of `/readyz`. */
const REMEDIES: Readonly<Record<string, string>> = {
  log: 'Check that its server is running. Nothing is lost; requests that fail meanwhile can be retried.',
  database: 'Check that Postgres is running and has free connections.',
  projections:
    'Run a process with the role projections. A halted read model met an event that it cannot apply: please report this bug.',
  agenda: 'Run a process with the role reactors. If an import or a release was interrupted, run it again.',
  webhooks: 'Run a process with the role reactors. If one is running, its warnings have the reason.',
}

/**
 * Checks everything that the service needs, without visible changes: settings, servers, how far everything is behind, pending
 * work, and what only a person can fix.
 *
 * @param progress called with plain-language messages about slow steps
 */
export async function diagnose(
  environment: Readonly<Record<string, string | undefined>>,
  progress: (message: string) => void,
): Promise<Diagnosis> {
  const findings: Finding[] = []
  const add = (more: readonly Finding[]) => void findings.push(...more)
  const settings = settingsOf(environment, add)
  if (settings) {
    const servers = await examineServers(settings, systemClock)
    add(servers)
    // Opening everything would wait minutes for an unreachable server.
    if (!servers.some(({ check, level }) => level === 'problem' && check !== 'clock')) {
      await examineInside(settings, progress, add)
    }
  }
  return { healthy: findings.every(({ level }) => level !== 'problem'), findings }
}

function settingsOf(
  environment: Readonly<Record<string, string | undefined>>,
  add: (findings: readonly Finding[]) => void,
): Settings | undefined {
  try {
    const settings = readSettings(environment)
    add([ok('settings', 'all settings are valid')])
    return settings
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const [, ...wrong] = error.message.split('\n')
    add(wrong.map((line) => fault('settings', line.trim(), 'docs/settings.md lists the accepted values.')))
    return undefined
  }
}

async function examineInside(
  settings: Settings,
  progress: (message: string) => void,
  add: (findings: readonly Finding[]) => void,
): Promise<void> {
  let core: Core
  try {
    core = await openCore(settings, createLogger('silent'), progress, { laidOut: [] })
  } catch (error) {
    return add([fault('start', reasonOf(error), 'The message says what is missing; see docs/operations.md for more.')])
  }
  try {
    const others = await othersReadModels(core)
    add(others)
    const looks = [
      // Without a key, others find only what follows from that.
      examineKeys,
      examineHealth,
      examineHistory,
      ...(others.length === 0
        ? [examinePromises, examineRestored, examineShares, examinePeople, examineVersions, examineCosts]
        : []),
      examineParts,
    ]
    for (const examine of looks) {
      try {
        add(await examine(core))
      } catch (error) {
        add([
          fault(
            'doctor',
            `a check could not be completed: ${reasonOf(error)}`,
            'Fix the problems above, then run fanfare doctor again.',
          ),
        ])
      }
    }
  } finally {
    await core.close()
  }
}

/**
 * Reports tables of another version, which may be in use right now: migrating them would leave them empty until they are
 * refilled. Missing tables are created.
 */
async function othersReadModels({ db }: Core): Promise<readonly Finding[]> {
  const live = await checkpointsIn(db, 'read')
  const others = projections.filter((one) => (live.get(one.name)?.version ?? versionOf(one)) !== versionOf(one))
  if (others.length === 0) {
    await layOutTables(db, projections)
    return []
  }
  const names = others.map(({ name }) => name).join(', ')
  return [
    {
      ...{ check: 'version', level: 'warning', finding: `these read models were built by another version: ${names}` },
      remedy: 'Run the doctor of the version in use. To switch to this one, see docs/operations.md, "A new version".',
    },
  ]
}

/** The checks of `/readyz`, run from here so that they work even if no process is listening. */
function examineHealth(core: Core): Promise<readonly Finding[]> {
  return Promise.all(
    Object.entries(healthChecks(core)).map(async ([name, check]) => {
      try {
        const figures = Object.entries(await check()).map(([figure, value]) => `${figure} ${value}`)
        return ok(name, figures.length > 0 ? figures.join(', ') : 'responds')
      } catch (error) {
        return fault(name, reasonOf(error), REMEDIES[name] ?? '')
      }
    }),
  )
}

/** One line per finding, and one per remedy. */
export function report({ healthy, findings }: Diagnosis): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = findings.flatMap(({ check, level, finding, remedy }) => [
    `${level.padEnd(7)}  ${check.padEnd(width)}  ${finding}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(9 + width + 2)}-> ${remedy}`]),
  ])
  // Names and errors come from others; a terminal must not interpret them.
  const shown = lines.map((line) => line.replaceAll(/\p{Cc}/gu, ' '))
  const warnings = findings.filter(({ level }) => level === 'warning').length
  const problems = findings.filter(({ level }) => level === 'problem').length
  const sum = healthy && warnings === 0 ? 'All is well.' : `${problems} problems, ${warnings} warnings.`
  return [...shown, '', sum].join('\n')
}
