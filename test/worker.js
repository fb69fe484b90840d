import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import t from 'tap'

/*
 * Runs test files one after the other until none is left. Several such processes share the files: the one that creates a file's
 * folder in the queue runs it. Shared fixtures (a database template, a Bluesky server) are created once per process.
 */

const FILES = env.FANFARE_TEST_FILES.split(' ')
const LIMIT_MS = 600_000

export async function runFiles() {
  for (let file = nextFile(); file !== undefined; file = nextFile()) {
    const begin = performance.now()
    const watchdog = setTimeout(() => stuck(file), LIMIT_MS)
    // Loaded within a test, and waited for by another one: tap would take a process with no test in its queue to be done.
    await t.test(file, { silent: true }, async () => {
      await import(`./dist/${file.replace(/\.ts$/, '.js')}`)
    })
    await t.test(`the end of ${file}`, { silent: true }, async () => undefined)
    clearTimeout(watchdog)
    t.comment(`${file} took ${((performance.now() - begin) / 1000).toFixed(1)} s`)
    // Progress: tap keeps the output of parallel processes until they end.
    process.stderr.write(env.FANFARE_TEST_DOTS)
  }
}

/** The other processes run the files that are left. */
function stuck(file) {
  process.stderr.write(`\n${file} did not end within ${LIMIT_MS / 1000} s\n`)
  process.exit(1)
}

function nextFile() {
  return FILES.find((file) => {
    try {
      mkdirSync(join(env.FANFARE_TEST_QUEUE, file))
      return true
    } catch (error) {
      if (error.code === 'EEXIST') return false
      throw error
    }
  })
}
