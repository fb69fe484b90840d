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
    t.setTimeout(LIMIT_MS)
    // Load the file within a test, and await it in another: tap considers a process with no queued test finished.
    await t.test(file, { silent: true }, async () => {
      await import(`./dist/${file.replace(/\.ts$/, '.js')}`)
    })
    await t.test(`the end of ${file}`, { silent: true }, async () => undefined)
    t.comment(`${file} took ${((performance.now() - begin) / 1000).toFixed(1)} s`)
    // Print progress, because tap buffers the output of parallel processes until they exit.
    process.stderr.write(env.FANFARE_TEST_DOTS)
  }
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
