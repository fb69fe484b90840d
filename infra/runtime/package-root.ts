import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'

const manifest = z.object({ name: z.literal('fanfare'), version: z.string() })

/**
 * The folder with the service's own package.json, whether the code runs from source or compiled from `dist/`.
 *
 * @throws if no folder above this file has one
 */
export function packageRoot(): string {
  const start = dirname(fileURLToPath(import.meta.url))
  for (let folder = start; ; folder = dirname(folder)) {
    if (isRoot(folder)) return folder
    if (folder === dirname(folder)) throw new Error(`no package.json of fanfare above ${start}`)
  }
}

/** The version of the service. */
export function packageVersion(): string {
  return manifestOf(packageRoot())?.version ?? ''
}

function isRoot(folder: string): boolean {
  return manifestOf(folder) !== undefined
}

function manifestOf(folder: string): z.infer<typeof manifest> | undefined {
  let content: string
  try {
    content = readFileSync(join(folder, 'package.json'), 'utf8')
  } catch {
    return undefined
  }
  return manifest.safeParse(JSON.parse(content)).data
}
