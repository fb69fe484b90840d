import './no-hooks.js'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import t from 'tap'

// tap's own module hooks.
delete env.NODE_OPTIONS

/*
 * Runs test files one after the other until none is left. Several such processes share the files: the one that creates a file's
 * folder in the queue runs it. Shared fixtures (a database template, a Bluesky server) are created once per process.
 */

/** When a file is taken to hang (ms): twice what the slowest took on the slowest machine. tap has a time-out for the whole process only. */
const LIMIT_MS = 1_200_000

export async function runFiles(files) {
  forgetEnded(t)
  for (let file = nextOf(files); file !== undefined; file = nextOf(files)) {
    const begin = performance.now()
    const used = process.cpuUsage()
    const watchdog = limited(file, LIMIT_MS)
    // Loaded within a test, and waited for by another one: tap would take a process with no test in its queue to be done.
    await t.test(file, { silent: true }, async () => {
      await import(`./dist/${file.replace(/\.ts$/, '.js')}`)
    })
    await t.test(`the end of ${file}`, { silent: true }, async () => undefined)
    clearTimeout(watchdog)
    const { user, system } = process.cpuUsage(used)
    const [seconds, cpu] = [(performance.now() - begin) / 1e3, (user + system) / 1e6].map((s) => s.toFixed(1))
    t.comment(`${file} took ${seconds} s, and ${cpu} s of CPU in this process`)
    // Progress: tap keeps the output of parallel processes until they end.
    process.stderr.write(env.FANFARE_TEST_DOTS)
  }
  limited('The teardown of a test process', LIMIT_MS)
}

/** tap's plugins keep every test until the process ends, and with its function all that it created: gigabytes in the whole set. */
function forgetEnded(parent) {
  parent.on('subtestAdd', forgetEnded)
  parent.on('subtestEnd', (test) => {
    delete test.options.cb
    test.cb = null
  })
}

/** Exits when the time is up; the other processes run the files that are left. */
function limited(what, ms) {
  const exit = () => {
    process.stderr.write(`\n${what} did not end within ${ms / 1000} s\n`)
    process.exit(1)
  }
  return setTimeout(exit, ms).unref()
}

function nextOf(files) {
  return files.find((file) => {
    try {
      mkdirSync(join(env.FANFARE_TEST_QUEUE, file))
      return true
    } catch (error) {
      if (error.code === 'EEXIST') return false
      throw error
    }
  })
}
