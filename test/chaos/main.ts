import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { EVENTSTOREDB } from '../support/eventstoredb-server.ts'
import { freePort } from '../support/free-port.ts'
import { drips } from './drips.ts'
import {
  breaches,
  happened,
  outcomeOfDrips,
  outcomeOfRestored,
  outcomeOfRun,
  outcomeOfSuite,
  table,
  type Outcome,
} from './report.ts'
import { restoredRun } from './restored.ts'
import { isRunRow, ROWS, type RowName } from './rows.ts'
import { judge } from './rules/index.ts'
import { run } from './run.ts'
import { sometimes } from './sometimes.ts'
import { suites, SUITES, type SuiteName } from './suites.ts'
import { teardowns } from './teardowns.ts'

const KILLS_PER_MINUTE = 30
const PAUSES_PER_MINUTE = 4
const NETWORK_FAULTS_PER_MINUTE = 8

const HELP = `npm run chaos -- [options]

Runs the service as several processes under load while they, NATS and Postgres are killed, paused and disconnected, then
checks everything that was requested, answered, logged and published against the guarantees, and prints the table of
docs/reliability.md. Exits with 1 if a guarantee was broken.

  --minutes N    how long faults are injected, default 5
  --kills N      how many processes are killed in that time, default 30 per minute
  --seed N       determines which faults occur, and when, default 1
  --named-stack  the log is in EventStoreDB, which is killed, too: FANFARE_TEST_EVENTSTOREDB is a program that
                 starts one (docs/reliability.md)
  --previous FOLDER  a built checkout of the previous release: all processes are of it at first, and are replaced one
                 after the other by this version in the middle of the run
  --only ROWS    run only these rows of the table, separated by commas: ${Object.keys(ROWS).join(', ')}
  --json         print the result as JSON
  --keep         keep the data of a run that broke a guarantee, and print its location
  --help         show this help
`

const OPTIONS = {
  minutes: { type: 'string', default: '5' },
  kills: { type: 'string' },
  seed: { type: 'string', default: '1' },
  only: { type: 'string' },
  previous: { type: 'string' },
  'named-stack': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

function given() {
  try {
    return parseArgs({ options: OPTIONS }).values
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)} (see --help for the options)\n`)
    return process.exit(1)
  }
}

const values = given()

const began = performance.now()
const progress = (line: string) =>
  void process.stderr.write(`${Math.round((performance.now() - began) / 1_000)} s: ${line}\n`)

interface Options {
  readonly rows: readonly RowName[]
  readonly minutes: number
  readonly kills: number
  readonly seed: number
}

/** @throws Error naming the option that is wrong */
function optionsIn(): Options {
  const known = Object.keys(ROWS) as readonly RowName[]
  const only = values.only?.split(',').map((name) => name.trim())
  const unknown = only?.find((name) => !Object.hasOwn(ROWS, name))
  if (unknown !== undefined) throw new Error(`--only: unknown row ${unknown}; the rows are ${known.join(', ')}`)
  const minutes = Number(values.minutes)
  if (!(minutes > 0)) throw new Error('--minutes must be a number above 0')
  if (values['named-stack'] && !EVENTSTOREDB)
    throw new Error('--named-stack: set FANFARE_TEST_EVENTSTOREDB to a program that starts EventStoreDB')
  const kills = values.kills === undefined ? Math.round(minutes * KILLS_PER_MINUTE) : Number(values.kills)
  if (!Number.isInteger(kills) || kills < 0) throw new Error('--kills must be a whole number of at least 0')
  const seed = Number(values.seed)
  if (!Number.isSafeInteger(seed)) throw new Error('--seed must be a whole number')
  return { rows: known.filter((row) => only?.includes(row) ?? true), minutes, kills, seed }
}

/** Runs what the rows need, and returns whether all of it held. */
async function chaos({ rows, minutes, kills, seed }: Options): Promise<boolean> {
  const outcomes: Outcome[] = []
  const told: string[] = []
  const parts: Record<string, unknown> = { seed, minutes, kills }
  const isNamedStack = values['named-stack']
  const runRows = rows.filter(isRunRow)
  if (runRows.length > 0) {
    const found = await inFolder(async (t, folder) => {
      const faults = {
        pauses: Math.round(minutes * PAUSES_PER_MINUTE),
        networkFaults: Math.round(minutes * NETWORK_FAULTS_PER_MINUTE),
      }
      const previous = values.previous === undefined ? {} : { previous: resolve(values.previous) }
      const evidence = await run(t, {
        folder,
        progress,
        seed,
        ms: minutes * 60_000,
        kills,
        isNamedStack,
        ...faults,
        ...previous,
      })
      const verdict = judge(evidence)
      const isClean = Object.values(verdict).every((broken) => broken.length === 0)
      if (!isClean && values.keep) await keepEvidence(folder, evidence)
      return { evidence, verdict, isClean }
    })
    const { evidence, verdict } = found
    const counted = sometimes(evidence)
    outcomes.push(...runRows.map((row) => outcomeOfRun(row, evidence, verdict)))
    told.push(happened(counted), breaches(verdict))
    Object.assign(parts, { sometimes: counted, broken: verdict })
  }
  if (rows.includes('T16')) {
    progress('T16: 2,000 dripping sockets')
    const { measured } = await inFolder(async (t, dataDir) => {
      const [port, sandboxPort] = [await freePort(), await freePort()]
      const own = { DATA_DIR: dataDir, PORT: String(port), SANDBOX_PORT: String(sandboxPort), LOG_LEVEL: 'error' }
      const environment = { ...process.env, ...own, RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_DAY: '1000000' }
      return { measured: await drips(t, { dataDir, port, sandboxPort, environment }), isClean: true }
    })
    outcomes.push(outcomeOfDrips(measured))
  }
  if (rows.includes('T20')) {
    progress('T20: a restore')
    const { ran } = await inFolder(async (t, folder) => {
      const ran = await restoredRun(t, folder, progress)
      return { ran, isClean: outcomeOfRestored(ran).passed }
    })
    outcomes.push(outcomeOfRestored(ran))
    told.push(
      ...ran.twice.slice(0, 8).map((what) => `twice: ${what}`),
      ...ran.lost.slice(0, 8).map((what) => `lost: ${what}`),
    )
    Object.assign(parts, { restored: ran })
  }
  const wanted = rows.filter((row): row is SuiteName => Object.hasOwn(SUITES, row))
  for (const [row, result] of await suites(wanted, progress)) outcomes.push(outcomeOfSuite(row, result))

  const order = Object.keys(ROWS)
  const sorted = outcomes.toSorted((one, other) => order.indexOf(one.row) - order.indexOf(other.row))
  if (values.json) await write(`${JSON.stringify({ ...parts, rows: sorted }, undefined, 2)}\n`)
  else {
    const what = runRows.length > 0 ? `seed ${seed}, ${minutes} minutes\n\n` : ''
    await write(`${what}${[table(sorted), ...told].join('\n')}`)
  }
  return outcomes.every(({ passed }) => passed)
}

/** Resolves when all of it is written, also to a pipe. */
const write = (text: string): Promise<void> =>
  new Promise((resolve) => void process.stdout.write(text, () => resolve()))

/** In a folder that is deleted afterwards, unless what was found is to be looked at. */
async function inFolder<T extends { readonly isClean: boolean }>(
  work: (t: ReturnType<typeof teardowns>, folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'fanfare-chaos-'))
  const t = teardowns()
  let isClean = false
  const end = async () => {
    await t.end()
    if (isClean || !values.keep) await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    else progress(`its data is in ${folder}`)
  }
  process.once('SIGINT', () => void end().finally(() => process.exit(130)))
  try {
    const found = await work(t, folder)
    ;({ isClean } = found)
    return found
  } finally {
    await end()
  }
}

/** It may be longer than a string can be: then the table is printed all the same. */
async function keepEvidence(folder: string, evidence: object): Promise<void> {
  try {
    await writeFile(join(folder, 'evidence.json'), jsonOf(evidence))
  } catch (error) {
    progress(`the evidence could not be saved: ${String(error)}`)
  }
}

function jsonOf(evidence: object): string {
  return JSON.stringify(evidence, (_name, value: unknown) =>
    typeof value === 'bigint'
      ? String(value)
      : value instanceof Map
        ? [...value]
        : value instanceof Set
          ? [...value]
          : value,
  )
}

async function ended(): Promise<number> {
  if (values.help) {
    await write(HELP)
    return 0
  }
  try {
    return (await chaos(optionsIn())) ? 0 : 1
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

// Whatever is still asking would go on for minutes.
process.exit(await ended())
