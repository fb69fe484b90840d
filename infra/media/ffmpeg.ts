import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { packageRoot } from '../runtime/package-root.ts'

/**
 * The program that converts videos: the given one, or else one in the folders of programs, or of the optional package.
 *
 * @param searchPath as in `PATH`
 * @returns undefined if there is none
 */
export function findFfmpeg(path: string | undefined, searchPath: string): string | undefined {
  if (path !== undefined) return [path].find(isProgram)
  const inFolders = searchPath.split(delimiter).map((folder) => join(folder || '.', 'ffmpeg'))
  return [...inFolders, ...ofPackage()].find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function ofPackage(): readonly string[] {
  try {
    const { path } = createRequire(join(packageRoot(), 'package.json'))('@ffmpeg-installer/ffmpeg') as { path: string }
    return [path]
  } catch {
    return []
  }
}
