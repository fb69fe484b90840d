import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import type { Clock } from '../runtime/clock.ts'
import { createSlots } from '../runtime/shares.ts'
import { canceled, ConversionFailure, type ConversionJob, type Converter } from './converter.ts'
import { BEST_BITS, CONTAINERS, SOUND_BITS, type VideoConversion } from './video-conversion.ts'

/** Within the time that preparing a post may take. */
const TIMEOUT_MS = 12 * 60_000
/** The service has to answer requests meanwhile. */
const THREADS = 2
const MOST_WORDS = 2_000
/** Visually close to the original at the speed of `veryfast`. */
const QUALITY = 21

/**
 * Converts videos by ffmpeg, one at a time and with a low priority.
 *
 * @param options.ffmpeg the program
 */
export function createVideoConverter(options: {
  readonly ffmpeg: string
  readonly clock: Clock
}): Converter<VideoConversion> {
  const { ffmpeg, clock } = options
  const slots = createSlots(() => 1)
  const closing = new AbortController()
  return {
    convert: async (job, workspaceId, signal) => {
      const stop = AbortSignal.any([signal, closing.signal])
      const turn = slots.take(workspaceId)
      // Those before may take longer than the caller has.
      await Promise.race([turn, aborted(stop)])
      if (stop.aborted) {
        void turn.then(() => slots.release(workspaceId))
        throw canceled()
      }
      try {
        await run(ffmpeg, job, stop, clock)
        // It ends a file that gets too large.
        const { maxBytes, bitsPerSecond } = job.conversion
        if ((await stat(job.to)).size >= maxBytes)
          throw new ConversionFailure(`it cannot be made smaller than ${maxBytes} bytes`, true)
        return { isReduced: bitsPerSecond !== undefined }
      } finally {
        slots.release(workspaceId)
      }
    },
    close: () => closing.abort(),
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}

async function run(
  ffmpeg: string,
  job: ConversionJob<VideoConversion>,
  signal: AbortSignal,
  clock: Clock,
): Promise<void> {
  const ended = new AbortController()
  const late = new AbortController()
  const child = spawn(ffmpeg, argumentsFor(job), {
    // It reads foreign files, and must not see the settings.
    env: {},
    stdio: ['ignore', 'ignore', 'pipe'],
    signal: AbortSignal.any([signal, late.signal]),
    killSignal: 'SIGKILL',
  })
  let words = ''
  child.stderr.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString('utf8')).slice(0, MOST_WORDS)
  })
  if (child.pid !== undefined) lower(child.pid)
  void clock.sleep(TIMEOUT_MS, ended.signal).then(() => {
    if (!ended.signal.aborted) late.abort()
  })
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve)
  })
  try {
    const code = await exit
    if (code !== 0) throw new ConversionFailure(firstLine(words) || 'ffmpeg stopped', code !== null)
  } catch (error) {
    if (late.signal.aborted) throw new ConversionFailure(`it took longer than ${TIMEOUT_MS / 60_000} minutes`, true)
    if (signal.aborted) throw canceled()
    if (error instanceof ConversionFailure) throw error
    throw new ConversionFailure(`ffmpeg could not be started (${error instanceof Error ? error.message : ''})`, false)
  } finally {
    ended.abort()
  }
}

/** Not everywhere allowed. */
function lower(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It runs with the usual one.
  }
}

function argumentsFor({ from, to, mimeType, conversion }: ConversionJob<VideoConversion>): readonly string[] {
  const input = ['-protocol_whitelist', 'file', '-threads', `${THREADS}`, '-f', CONTAINERS[mimeType] ?? 'mov']
  return [
    ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', ...input, '-i', `file:${from}`],
    // The first picture and the first sound, if there is one.
    ...['-map', '0:v:0', '-map', '0:a:0?', '-map_metadata', '-1', '-map_chapters', '-1'],
    ...(conversion.isCopied ? ['-c', 'copy'] : encoding(conversion)),
    ...[
      '-movflags',
      '+faststart',
      '-fs',
      `${conversion.maxBytes}`,
      '-threads',
      `${THREADS}`,
      '-f',
      'mp4',
      `file:${to}`,
    ],
  ]
}

function encoding({ width, longer, fps, bitsPerSecond = BEST_BITS }: VideoConversion): readonly string[] {
  const limits = [
    ...(width === undefined ? [] : [`${width}/(iw*sar)`]),
    ...(longer === undefined ? [] : [`${longer}/max(iw*sar,ih)`]),
  ]
  const factor = limits.reduce((most, limit) => `min(${most},${limit})`, '1')
  // H.264 needs even sides; not every player knows pixels that are not square.
  const filters = [
    `scale='2*max(1,trunc(iw*sar*${factor}/2))':'2*max(1,trunc(ih*${factor}/2))',setsar=1`,
    ...(fps === undefined ? [] : [`fps=${fps}`]),
  ]
  return [
    ...['-vf', filters.join(','), '-c:v', 'libx264', '-preset', 'veryfast', '-crf', `${QUALITY}`],
    ...['-maxrate', `${bitsPerSecond}`, '-bufsize', `${bitsPerSecond}`, '-pix_fmt', 'yuv420p'],
    ...['-c:a', 'aac', '-b:a', `${SOUND_BITS}`, '-ar', '48000', '-ac', '2'],
  ]
}

/** The cause: what comes after it are its consequences. Without the addresses that ffmpeg puts before what it says. */
function firstLine(words: string): string {
  const line = words.trimStart().split('\n')[0] ?? ''
  return line.replace(/\[[^[\]]* @ 0x[0-9a-f]+\] /g, '').replace(/file:\S*: /, '')
}
