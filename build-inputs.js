import { existsSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'

/*
 * What a build was made of, so that it is made again only when something has changed: its sources, with the times of their last
 * changes, and when it began.
 */

/** @param path from the root of the checkout, so that a copy of the whole is not taken for the original */
const changed = (path) => statSync(join(import.meta.dirname, path), { throwIfNoEntry: false })?.mtimeMs

/**
 * @param file a JSON file beside what was built
 * @param since when the build began, ms since the epoch
 * @param paths of the sources
 * @param more whatever else the file is to hold
 */
export async function noteInputs(file, since, paths, more = {}) {
  const sources = paths.map((path) => relative(import.meta.dirname, resolve(path)))
  await writeFile(file, JSON.stringify({ since, sources: sources.map((path) => [path, changed(path)]), ...more }))
}

export async function isUpToDate(file) {
  if (!existsSync(file)) return false
  const { since, sources } = JSON.parse(await readFile(file, 'utf8'))
  // One that changed during the build has a later time; a copy of an older one has another.
  return sources.every(([path, at]) => at < since && changed(path) === at)
}
