import { fork, type ChildProcess } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../runtime/clock.ts'
import type { ImageFit } from './image-fit.ts'

export interface FitJob {
  /** Path of the image. */
  readonly from: string
  /** Path of the result. */
  readonly to: string
  readonly mimeType: string
  readonly fit: ImageFit
}

export interface Fitted {
  /** Whether it would be better with a higher limit of bytes. */
  readonly isReduced: boolean
}

/** `error`: what is wrong with the image. */
export type FitAnswer = Fitted | { readonly error: string }

export interface ImageFitter {
  /**
   * Workspaces take turns: one that converts a thousand images delays those of another by one.
   *
   * @throws FitFailure
   */
  fit(job: FitJob, workspaceId?: string): Promise<Fitted>
  /** Ends the process; a conversion that is under way fails. */
  close(): void
}

/** @property isOfImage whether another attempt would fail as well */
export class FitFailure extends Error {
  readonly isOfImage: boolean

  constructor(message: string, isOfImage: boolean) {
    super(message)
    this.name = 'FitFailure'
    this.isOfImage = isOfImage
  }
}

/** What the largest image takes on a slow machine, several times over. */
const TIMEOUT_MS = 60_000
/** An idle process keeps up to a few hundred megabytes. */
const IDLE_MS = 60_000
/** Pixels are not on the heap. */
const HEAP_MB = 256
const PROGRAM = new URL(`./image-fit-worker${extname(import.meta.url)}`, import.meta.url)

/**
 * Converts images in a process of its own, one at a time. It is started when it is first needed, and ended once it has been idle for
 * a minute.
 *
 * @param options.program the process's script, if not the default
 */
export function createImageFitter(options: { readonly clock: Clock; readonly program?: URL }): ImageFitter {
  const { clock, program = PROGRAM } = options
  const turns = createTurns()
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
    fit: async (job, workspaceId = '') => {
      await turns.next(workspaceId)
      busy.abort()
      busy = new AbortController()
      try {
        if (child?.connected !== true) child = start(program)
        return await answered(child, job, clock)
      } catch (error) {
        if (!(error instanceof FitFailure) || !error.isOfImage) end()
        throw error
      } finally {
        void endIfIdle(busy.signal)
        turns.end()
      }
    },
    close: end,
  }
}

/** Lets in one caller at a time, and the workspaces in turn. */
function createTurns() {
  const waiting = new Map<string, (() => void)[]>()
  let isTaken = false
  return {
    next: async (workspaceId: string): Promise<void> => {
      if (!isTaken) isTaken = true
      else {
        const own = waiting.get(workspaceId) ?? []
        waiting.set(workspaceId, own)
        await new Promise<void>((resolve) => own.push(resolve))
      }
    },
    end: (): void => {
      const [first] = waiting
      if (!first) isTaken = false
      else {
        const [workspaceId, [next, ...more]] = first
        waiting.delete(workspaceId)
        if (more.length > 0) waiting.set(workspaceId, more)
        next?.()
      }
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
  // A failed start is seen as an exit.
  child.on('error', () => undefined)
  return child
}

/** The process keeps the service running only while it has work. */
async function answered(child: ChildProcess, job: FitJob, clock: Clock): Promise<Fitted> {
  child.ref()
  child.channel?.ref()
  const done = new AbortController()
  const { signal } = done
  const answer = new Promise<FitAnswer>((resolve) => child.once('message', (message) => resolve(message as FitAnswer)))
  const gone = new Promise<'gone'>((resolve) => child.once('exit', () => resolve('gone')))
  const late = clock.sleep(TIMEOUT_MS, signal).then(() => 'late' as const)
  try {
    child.send(job, (error) => error && child.kill('SIGKILL'))
    const outcome = await Promise.race([answer, gone, late])
    if (outcome === 'gone') throw new FitFailure("the converter stopped; the service's log may say why", false)
    if (outcome === 'late') throw new FitFailure(`it took longer than ${TIMEOUT_MS / 1_000} s`, false)
    if ('error' in outcome) throw new FitFailure(outcome.error, true)
    return outcome
  } finally {
    done.abort()
    child.removeAllListeners('message').removeAllListeners('exit')
    child.unref()
    child.channel?.unref()
  }
}
