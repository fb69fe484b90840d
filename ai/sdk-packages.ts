import { createRequire } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'
import { packageRoot } from '../system/package-root.ts'
import { SettingsError } from '../system/settings.ts'

/** Where the AI SDK is installed. Compiled code in `dist/` would not find it by itself. */
export const aiFolder = (): string => join(packageRoot(), 'ai')

/** What a package exports; `type` tells whether it is there as it should be. */
export type Export = <T>(from: string, name: string, type: z.ZodType<T>) => T

const namespace = z.record(z.string(), z.unknown())

export const isFunction = (value: unknown): boolean => typeof value === 'function'

/**
 * Reads from the packages of the AI SDK.
 *
 * @param setting that needs them, as `NAME=value`
 * @throws SettingsError when one is not installed
 */
export function fromPackages<T>(setting: string, folder: string, read: (exported: Export) => T): T {
  const load = createRequire(join(folder, 'package.json'))
  try {
    return read((from, name, type) => type.parse(namespace.parse(load(from))[name]))
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new SettingsError(`${setting} needs packages that are not installed. Install them with: npm run ai:install`)
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND'
}
