import { Worker } from 'node:worker_threads'
import type { Clock } from '../../../infra/runtime/clock.ts'
import type { FeedDocument, ParsedFeed } from './feed.ts'

/** Time limit for one document, in milliseconds, not counting the thread's start. */
const PARSE_MS = 3_000
/** 32 MB for both heap generations together. */
const LIMITS = { maxOldGenerationSizeMb: 28, maxYoungGenerationSizeMb: 4, stackSizeMb: 4 }

/** A thread that parses one document after the other. */
export interface ParserThread {
  /** False once the thread was killed or has died. */
  readonly isAlive: boolean
  /**
   * Never rejects: if the thread dies on the document, the outcome says how. Must not be called concurrently.
   *
   * @param document its blocks are transferred to the thread, with all of the memory that they are part of
   */
  parse(document: FeedDocument): Promise<ParsedFeed>
  end(): Promise<void>
}

/** @param program the worker's file */
export function startParserThread(program: URL, clock: Clock): ParserThread {
  // No environment: code that parses foreign documents must not see the settings.
  const worker = new Worker(program, { resourceLimits: LIMITS, env: {} })
  let isAlive = true
  const gone = new Promise<ParsedFeed>((resolve) => {
    const end = (kind: 'too-heavy' | 'broken-off'): void => {
      isAlive = false
      resolve({ kind })
    }
    worker.once('error', (error: NodeJS.ErrnoException) => {
      end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too-heavy' : 'broken-off')
    })
    worker.once('exit', () => end('broken-off'))
  })
  const ready = new Promise<'ready'>((resolve) => worker.once('message', resolve))
  const kill = async (): Promise<void> => {
    isAlive = false
    await worker.terminate()
  }
  return {
    get isAlive() {
      return isAlive
    },
    parse: async (document) => {
      worker.ref()
      const start = await Promise.race([ready, gone])
      if (start !== 'ready') return start
      const answer = new Promise<ParsedFeed>((resolve) => worker.once('message', resolve))
      const done = new AbortController()
      const late = clock.sleep(PARSE_MS, done.signal).then((): ParsedFeed => ({ kind: 'too-slow' }))
      worker.postMessage(
        document,
        document.blocks.map(({ buffer }) => buffer),
      )
      const outcome = await Promise.race([answer, gone, late])
      done.abort()
      if (outcome.kind === 'too-slow') await kill()
      // An idle thread must not keep the process alive.
      worker.unref()
      return outcome
    },
    end: kill,
  }
}
