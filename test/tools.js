import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'

/*
 * Installs the development dependencies when they are first needed, and again after package-lock.json has changed: they are three
 * quarters of all packages, and the service runs without them (docs/decisions/0038-one-install.md).
 */

const root = join(import.meta.dirname, '..')
/** In `node_modules`, so that it is removed together with them. */
const mark = join(root, 'node_modules/.development-tools')
const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')

if (!existsSync(mark) || readFileSync(mark, 'utf8') !== lock) {
  console.log('Installing the development tools, once. This takes a minute or two.')
  // Optimizing the Bluesky test server's SQLite takes longer than the tests ever gain from it.
  const fast = { CFLAGS: '-O0', CXXFLAGS: '-O0', ...env }
  run('npm', ['install', '--include=dev', '--no-save', '--loglevel=error'], { cwd: root, env: fast })
  // Without tap's TypeScript loader: the tests are compiled beforehand.
  run(join(root, 'node_modules/.bin/tap'), ['build'], { cwd: import.meta.dirname })
  writeFileSync(mark, lock)
}

function run(command, args, options) {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options })
  if (status !== 0) {
    console.error(`The development tools were not installed: ${command} ${args[0]} failed.`)
    process.exit(1)
  }
}
