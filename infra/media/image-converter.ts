import { fork, type ChildProcess } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../runtime/clock.ts'
import { createSlots } from '../runtime/shares.ts'
import { canceled, ConversionFailure, type ConversionJob, type Converted, type Converter } from './converter.ts'
import type { Conversion } from './image-conversion.ts'

/** `error`: what is wrong with the image. */
export type ConversionAnswer = Converted | { readonly error: string }

/** What the largest image takes on a slow machine, several times over. */
const TIMEOUT_MS = 60_000
/** An idle process keeps up to a few hundred megabytes. */
const IDLE_MS = 60_000
/** Pixels are not on the heap. */
const HEAP_MB = 256
const PROGRAM = new URL(`./image-converter-worker${extname(import.meta.url)}`, import.meta.url)

/**
 * Converts images in a process of its own, one at a time. It is started when it is first needed, and ended once it has been idle for
 * a minute.
 *
 * @param options.program the process's script, if not the default
 */
export function createImageConverter(options: {
  readonly clock: Clock
  readonly program?: URL
}): Converter<Conversion> {
  const { clock, program = PROGRAM } = options
  const slots = createSlots(() => 1)
  const closing = new AbortController()
  let child: ChildProcess | undefined
  let busy = new AbortController()

  const end = (): void => {
    busy.abort()
    child?.kill('SIGKILL')
    child = undefined
  }
  const endIfIdle = async (signal: AbortSignal): Promise<void> => {
    await clock.sleep(IDLE_MS, signal)
    if (!signal.aborted) end()
  }

  return {
    convert: async (job, workspaceId, signal) => {
      await slots.take(workspaceId)
      if (signal.aborted || closing.signal.aborted) {
        slots.release(workspaceId)
        throw canceled()
      }
      busy.abort()
      busy = new AbortController()
      try {
        if (child?.connected !== true) child = start(program)
        return await answered(child, job, clock)
      } catch (error) {
        if (!(error instanceof ConversionFailure) || !error.isOfMedia) end()
        throw error
      } finally {
        void endIfIdle(busy.signal)
        slots.release(workspaceId)
      }
    },
    close: () => {
      closing.abort()
      end()
    },
  }
}

function start(program: URL): ChildProcess {
  const isSource = program.pathname.endsWith('.ts')
  const child = fork(fileURLToPath(program), {
    // It converts foreign files, and must not see the settings.
    env: {},
    execArgv: [`--max-old-space-size=${HEAP_MB}`, ...(isSource ? ['--import', 'tsx'] : [])],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  // Even when no conversion is running.
  child.on('error', () => undefined)
  return child
}

/** The process keeps the service running only while it has work. */
async function answered(child: ChildProcess, job: ConversionJob<Conversion>, clock: Clock): Promise<Converted> {
  child.ref()
  child.channel?.ref()
  const done = new AbortController()
  const { signal } = done
  const answer = new Promise<ConversionAnswer>((resolve) =>
    child.once('message', (message) => resolve(message as ConversionAnswer)),
  )
  let stopped = () => undefined as void
  const gone = new Promise<'gone'>((resolve) => {
    stopped = () => resolve('gone')
  })
  // A process that could not be started has no exit.
  child.once('exit', stopped).once('error', stopped)
  const late = clock.sleep(TIMEOUT_MS, signal).then(() => 'late' as const)
  try {
    child.send(job)
    const outcome = await Promise.race([answer, gone, late])
    if (outcome === 'gone') throw new ConversionFailure("the converter stopped; the service's log may say why", false)
    if (outcome === 'late') throw new ConversionFailure(`it took longer than ${TIMEOUT_MS / 1_000} s`, false)
    if ('error' in outcome) throw new ConversionFailure(outcome.error, true)
    return outcome
  } finally {
    done.abort()
    child.removeAllListeners('message').off('exit', stopped).off('error', stopped)
    child.unref()
    child.channel?.unref()
  }
}
