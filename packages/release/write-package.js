import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stdout } from 'node:process'

export const ROOT = join(import.meta.dirname, '../..')

export const read = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))

/** Writes the manifest into a folder, and the folder into `dist/<name>-<version>.tgz`. */
export function writePackage(folder, manifest) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const command = ['pack', '--json', '--pack-destination', join(ROOT, 'dist')]
  const [tarball] = JSON.parse(execFileSync('npm', command, { cwd: folder, encoding: 'utf8' }))
  stdout.write(`dist/${tarball.filename}: ${(tarball.size / 1e6).toFixed(1)} MB, ${tarball.entryCount} files\n`)
}
