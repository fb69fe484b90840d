import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { layOutCard, type CardShape } from './card.ts'
import { CLIP_FILE, clipArguments, FONT_FILE, FRAMES, lineFile } from './clip-arguments.ts'
import { readFont } from './font.ts'
import { runProgram } from './run-program.ts'
import type { RenderTools } from './tools.ts'

/** Prefix of the folders used for rendering. */
export const WORK_PREFIX = 'work-'
/** A clip takes 1 to 2 s on an idle machine. */
const RENDER_LIMIT_MS = 120_000

export interface ClipOrder {
  readonly prompt: string
  readonly aspectRatio: CardShape
  /** Target path. The clip is rendered elsewhere and moved here once complete. */
  readonly file: string
  readonly onProgress: (pct: number) => void
}

/** @throws ProgramFailure, or when a file cannot be written */
export async function renderClip(order: ClipOrder, tools: RenderTools, signal: AbortSignal): Promise<void> {
  const { prompt, aspectRatio, file, onProgress } = order
  const card = layOutCard(prompt, aspectRatio, readFont(await readFile(tools.fontFile)))
  await mkdir(dirname(file), { recursive: true })
  const work = await mkdtemp(join(dirname(file), WORK_PREFIX))
  try {
    await copyFile(tools.fontFile, join(work, FONT_FILE))
    await Promise.all(card.lines.map(({ text }, index) => writeFile(join(work, lineFile(index)), text)))
    await runProgram(
      {
        command: tools.ffmpeg,
        args: clipArguments(card),
        folder: work,
        limitMs: RENDER_LIMIT_MS,
        onOutput: (chunk) => {
          const frames = framesIn(chunk)
          if (frames !== undefined) onProgress(Math.min(99, Math.floor((frames / FRAMES) * 100)))
        },
      },
      signal,
    )
    await rename(join(work, CLIP_FILE), file)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** From ffmpeg's progress report, which arrives in blocks of lines. */
function framesIn(report: Buffer): number | undefined {
  const [, frames] = /^frame=\s*(\d+)$/m.exec(report.toString('latin1')) ?? []
  return frames === undefined ? undefined : Number(frames)
}
