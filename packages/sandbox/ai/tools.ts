import { createRequire } from 'node:module'
import { join } from 'node:path'
import * as z from 'zod'
import { installCommand } from '../../../infra/runtime/optional-packages.ts'
import { packageRoot } from '../../../infra/runtime/package-root.ts'
import { SandboxRefusal } from '../refusal.ts'
import { runProgram } from './run-program.ts'

/** The folder whose packages render and speak. They are optional: not every machine can run them. */
export const RENDERER = packageRoot()
const SPEAK = join(packageRoot(), 'packages/sandbox/ai/speak.js')

export interface RenderTools {
  /** The command. */
  readonly ffmpeg: string
  readonly fontFile: string
}

const installed = z.object({ path: z.string() })
const LOOK_LIMIT_MS = 10_000
const PACKAGES = ['@ffmpeg-installer/ffmpeg', 'dejavu-fonts-ttf', 'espeak-ng']

/** @throws SandboxRefusal 503 with the fix, when ffmpeg or the font is missing */
export async function renderTools(folder: string, signal: AbortSignal): Promise<RenderTools> {
  const fontFile = found(folder, 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf')
  const ffmpeg = installedFfmpeg(folder) ?? (await systemFfmpeg(signal))
  if (ffmpeg === undefined) throw missing('ffmpeg')
  if (fontFile === undefined) throw missing('A font for ffmpeg')
  return { ffmpeg, fontFile }
}

/**
 * The speech program.
 *
 * @throws SandboxRefusal 503 with the fix, when its package is missing
 */
export function speakingProgram(folder: string): string {
  if (found(folder, 'espeak-ng') === undefined) throw missing('espeak-ng')
  return SPEAK
}

function missing(what: string): SandboxRefusal {
  return new SandboxRefusal(
    503,
    'not_installed',
    `${what} is not installed on this machine. Install the optional packages, then restart: ${installCommand(...PACKAGES)}`,
  )
}

function found(folder: string, file: string): string | undefined {
  try {
    return createRequire(join(folder, 'package.json')).resolve(file)
  } catch {
    return undefined
  }
}

/** The binary bundled with the package, if there is one for this machine. */
function installedFfmpeg(folder: string): string | undefined {
  try {
    const load = createRequire(join(folder, 'package.json'))
    return installed.parse(load('@ffmpeg-installer/ffmpeg')).path
  } catch {
    return undefined
  }
}

async function systemFfmpeg(signal: AbortSignal): Promise<string | undefined> {
  const command = 'ffmpeg'
  try {
    await runProgram({ command, args: ['-version'], limitMs: LOOK_LIMIT_MS }, signal)
    return command
  } catch {
    return undefined
  }
}
