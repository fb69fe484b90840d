import { join } from 'node:path'
import { fromPackages, type Export } from '../system/optional-packages.ts'
import { packageRoot } from '../system/package-root.ts'

/** Where the AI SDK is installed. */
export const aiFolder = (): string => join(packageRoot(), 'ai')

/** @throws SettingsError when a package is not installed */
export function fromAiPackages<T>(setting: string, folder: string, read: (exported: Export) => T): T {
  return fromPackages({ setting, folder, install: 'npm run ai:install' }, read)
}
