import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chdir, env, execPath, stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { compile } from './build.js'

chdir(import.meta.dirname)

const HELP = `npm test [-- <name>... <option>...]

Runs the fast set: all unit tests, and the tests that guard what Fanfare promises. Given names, runs the test files
whose names contain one of them: "publishing", "bluesky", ".unit".

  --all        every test file
  --rest       with --all: without the fast set, where that has run before
  --verbose    print every assertion, and how long each file took
  --watch      run again when a source file changes
  --jobs N     number of processes, default two a core
  --help
`
/** The fast set: unit tests and these. */
const PROMISES = ['api-idempotency', 'event-log', 'fan-out', 'publishing', 'tenants']
/** Slowest first, so that no process is left with a slow file at the end. */
const KINDS = ['.e2e.ts', '.int.ts', '.unit.ts']
/** Measures its own process's memory, so it runs in one where nothing ran before. */
const FIRST = 'hostile-platform.int.ts'

const { values: options, positionals: names } = parseArgs({
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

if (options.help) stdout.write(HELP)
else await main()

async function main() {
  const present = await readdir('.')
  const files = KINDS.flatMap((kind) => present.filter((file) => file.endsWith(kind))).filter(isChosen)
  files.sort((one, other) => Number(other === FIRST) - Number(one === FIRST))
  if (files.length === 0) {
    stderr.write(`No test file's name contains ${names.join(' or ')}.\n`)
    process.exitCode = 2
    return
  }
  // tap receives them too, and reports its progress before it exits.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
  const workers = Array.from({ length: Math.min(Number(options.jobs), files.length) }, (_, n) => `worker-${n + 1}.js`)
  await compile({ files, workers, watch: options.watch, then: () => runTap(files, workers) })
  if (existsSync('.postgres/postgres/postmaster.pid'))
    await run(execPath, ['--import', 'tsx', 'support/stop-postgres.ts'])
}

function isChosen(file) {
  if (options.all) return !(options.rest && isFast(file))
  return names.length > 0 ? names.some((name) => file.includes(name)) : isFast(file)
}

function isFast(file) {
  return file.endsWith('.unit.ts') || PROMISES.some((promise) => file.startsWith(`${promise}.`))
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
      ['run', `--jobs=${workers.length}`, `--reporter=${reporter}`, ...workers.map((name) => `dist/${name}`)],
      // An unusual time zone, to catch code that mistakes local time for UTC.
      {
        FANFARE_TEST_FILES: files.join(' '),
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
