import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import { packageRoot } from './package-root.ts'

const load = createRequire(import.meta.url)
const manifest = z.object({ peerDependencies: z.record(z.string(), z.string()) })

/** Packages that are needed now and left out of this installation. */
export class NotInstalled extends Error {
  constructor(names: readonly string[]) {
    const [are, them] = names.length === 1 ? ['is', 'it'] : ['are', 'them']
    super(`${names.join(', ')} ${are} not installed. Install ${them}, then start again: ${installCommand(...names)}`)
    this.name = 'NotInstalled'
  }
}

/**
 * Loads packages that not every installation has or needs, on first use.
 *
 * @throws NotInstalled with the command that installs those that are missing
 */
export function loadOptional(...names: readonly string[]): readonly unknown[] {
  const missing = names.filter((name) => !isInstalled(name))
  if (missing.length === 0) return names.map((name) => load(name))
  throw new NotInstalled(missing)
}

function isInstalled(name: string): boolean {
  try {
    load.resolve(name)
    return true
  } catch {
    return false
  }
}

/** The command that installs packages where the service finds them, in the versions that it was tested with. */
export function installCommand(...names: readonly string[]): string {
  const root = packageRoot()
  const above = dirname(root)
  // In a clone, `npm ci` has left them out.
  if (basename(above) !== 'node_modules') return 'npm ci --include=optional'
  const { peerDependencies } = manifest.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  return `npm install --prefix ${dirname(above)} ${names.map((name) => `${name}@${peerDependencies[name]}`).join(' ')}`
}
