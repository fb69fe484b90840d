import { createRequire } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'
import { SettingsError } from './settings.ts'

/** What a package exports; `type` tells whether it is there as it should be. */
export type Export = <T>(from: string, name: string, type: z.ZodType<T>) => T

export interface OptionalPackages {
  /** Where they are installed. Compiled code in `dist/` would not find them by itself. */
  readonly folder: string
  /** What needs them, as `NAME=value`. */
  readonly setting: string
  /** The command that installs them. */
  readonly install: string
}

const namespace = z.record(z.string(), z.unknown())

export const isFunction = (value: unknown): boolean => typeof value === 'function'

/**
 * Reads from packages that are not in the service's own install.
 *
 * @throws SettingsError when one is not installed
 */
export function fromPackages<T>({ folder, setting, install }: OptionalPackages, read: (exported: Export) => T): T {
  const load = createRequire(join(folder, 'package.json'))
  try {
    return read((from, name, type) => type.parse(namespace.parse(load(from))[name]))
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new SettingsError(`${setting} needs packages that are not installed. Install them with: ${install}`)
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND'
}
