import type { Clock } from '../../system/clock.ts'
import { threadProgram } from '../../system/thread-program.ts'
import type { ParsedFeed } from './feed.ts'
import { startParserThread, type ParserThread } from './parser-thread.ts'

export interface FeedParser {
  /**
   * Whatever the document holds is an outcome.
   *
   * @param contentType the header as sent
   * @param url of the document, after redirects
   * @throws when the system has no thread to give
   */
  parse(bytes: Uint8Array, contentType: string, url: string): Promise<ParsedFeed>
  /** Ends the threads; what is being read, or comes later, is `broken-off`. */
  close(): Promise<void>
}

const MAX_THREADS = 2

/**
 * Reads documents in threads of their own: no feed holds up the service, takes more than 3 s or 128 MB, or ends more
 * than its thread. Two at a time, the others wait their turn; one thread is kept for the next.
 *
 * @param options.program the threads' file, when it is another
 */
export function createFeedParser(options: { readonly clock: Clock; readonly program?: URL }): FeedParser {
  const { clock, program = threadProgram('feed-worker', import.meta.url) } = options
  const threads = new Set<ParserThread>()
  const waiting: (() => void)[] = []
  let idle: ParserThread | undefined
  let running = 0
  let isClosed = false

  const turn = async (): Promise<void> => {
    if (running === MAX_THREADS) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
  }
  /** Hands the turn on to who waits longest. */
  const endTurn = (): void => {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
  const take = (): ParserThread => {
    const warm = idle?.isAlive ? idle : startParserThread(program, clock)
    idle = undefined
    threads.add(warm)
    return warm
  }
  const giveBack = async (thread: ParserThread): Promise<void> => {
    if (thread.isAlive && !idle && !isClosed) idle = thread
    else {
      await thread.end()
      threads.delete(thread)
    }
  }

  return {
    parse: async (bytes, contentType, url) => {
      await turn()
      try {
        if (isClosed) return { kind: 'broken-off' }
        const thread = take()
        const feed = await thread.parse({ bytes, contentType, url })
        await giveBack(thread)
        return feed
      } finally {
        endTurn()
      }
    },
    close: async () => {
      isClosed = true
      await Promise.all([...threads].map((thread) => thread.end()))
    },
  }
}
