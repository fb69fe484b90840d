import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chdir, env, execPath, stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { compile } from './build.js'

const HELP = `npm test [-- <name>... <option>...]

Runs the fast set: all unit tests, and the tests that guard what Fanfare promises. Given names, runs the test files
whose names contain one of them: "publishing", "bluesky", ".unit".

  --all        every test file
  --rest       every test file that is not in the fast set
  --verbose    print every assertion, and how long each file took
  --watch      run again when a source file changes
  --jobs N     number of processes, default two a core
  --help
`
/** The fast set: unit tests and these. */
const PROMISES = ['api-idempotency', 'event-log', 'fan-out', 'publishing', 'tenants']
/** Slowest first, so that no process is left with a slow file at the end: these, then by kind and size. */
const LONGEST = ['crash-points.int.ts', 'simulation.int.ts', 'odd-files.int.ts']
const KINDS = ['.e2e.ts', '.int.ts', '.unit.ts']
/** They measure their own process: its memory, its handles or its executed code. So nothing else may run in it. */
const OWN_PROCESS = ['feeds-hostile.unit.ts', 'hostile-platform.int.ts', 'outbound.unit.ts', 'text-work.unit.ts']

chdir(import.meta.dirname)
const { options, names } = given()
if (options.help) stdout.write(HELP)
else await main()

function given() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        all: { type: 'boolean' },
        rest: { type: 'boolean' },
        verbose: { type: 'boolean' },
        watch: { type: 'boolean' },
        jobs: { type: 'string', default: String(2 * availableParallelism()) },
        help: { type: 'boolean' },
      },
    })
    if (!/^[1-9]\d*$/.test(values.jobs)) throw new Error('--jobs must be a whole number from 1')
    return { options: values, names: positionals }
  } catch (error) {
    refuse(error.message)
  }
}

function refuse(message) {
  stderr.write(`${message}. See npm test -- --help.\n`)
  process.exit(2)
}

async function main() {
  const present = await bySize(await readdir('.'))
  const bySlowness = [...LONGEST, ...KINDS.flatMap((kind) => present.filter((file) => file.endsWith(kind)))]
  const files = [...new Set(bySlowness)].filter(isChosen)
  if (files.length === 0) refuse(`No test file's name contains ${names.join(' or ')}`)
  // tap receives them too, and reports its progress before it exits.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
  const workers = workersFor(files)
  await compile({ files, workers, watch: options.watch, then: () => runTap(files, workers) })
  if (existsSync('.postgres/postgres/postmaster.pid')) {
    await run(execPath, ['--import', 'tsx', 'support/stop-postgres.ts'])
  }
}

async function bySize(files) {
  const sizes = new Map(await Promise.all(files.map(async (file) => [file, (await stat(file)).size])))
  return files.toSorted((a, b) => sizes.get(b) - sizes.get(a))
}

function isChosen(file) {
  if (options.all) return true
  if (options.rest) return !isFast(file)
  return names.length > 0 ? names.some((name) => file.includes(name)) : isFast(file)
}

function isFast(file) {
  return file.endsWith('.unit.ts') || PROMISES.some((promise) => file.startsWith(`${promise}.`))
}

function workersFor(files) {
  const alone = files.filter((file) => OWN_PROCESS.includes(file))
  const shared = files.filter((file) => !OWN_PROCESS.includes(file))
  const count = Math.min(Number(options.jobs), shared.length)
  return [...alone.map((file) => [file]), ...Array(count).fill(shared)].map((files, n) => ({
    name: `worker-${n + 1}.js`,
    files,
  }))
}

async function runTap(files, workers) {
  // End-to-end tests start the service as `npm start` does, from the build.
  if (files.some((file) => file.endsWith('.e2e.ts'))) {
    process.exitCode = await run('npm', ['run', '--silent', 'build'], {}, '..')
    if (process.exitCode !== 0) return
  }
  const queue = await mkdtemp(join(tmpdir(), 'fanfare-test-'))
  try {
    const reporter = options.verbose ? 'tap' : './reporter.js'
    process.exitCode = await run(
      '../node_modules/.bin/tap',
      ['run', `--jobs=${options.jobs}`, `--reporter=${reporter}`, ...workers.map(({ name }) => `dist/${name}`)],
      // An unusual time zone, to catch code that mistakes local time for UTC.
      {
        FANFARE_TEST_QUEUE: queue,
        FANFARE_TEST_DOTS: reporter === 'tap' ? '' : '.',
        TZ: 'Pacific/Kiritimati',
      },
    )
  } finally {
    await rm(queue, { recursive: true })
  }
}

/** @returns the exit code */
async function run(command, args, more = {}, cwd = '.') {
  const child = spawn(command, args, { stdio: 'inherit', env: { ...env, ...more }, cwd })
  const [code] = await once(child, 'exit')
  return code ?? 1
}
