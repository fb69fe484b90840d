import type { Clock } from '../../../infra/runtime/clock.ts'
import { threadProgram } from '../../../infra/runtime/thread-program.ts'
import type { FeedDocument, ParsedFeed } from './feed.ts'
import { startParserThread, type ParserThread } from './parser-thread.ts'

export interface FeedParser {
  /**
   * Whatever the document holds is an outcome.
   *
   * @param blocks of the document's bytes; taken over, with all of the memory that they are part of
   * @param contentType the header as sent
   * @param url of the document, after redirects
   * @throws when the system has no thread to give
   */
  parse(blocks: FeedDocument['blocks'], contentType: string, url: string): Promise<ParsedFeed>
  /** Ends the threads; what is being read, or comes later, is `broken-off`. */
  close(): Promise<void>
}

/** What a thread took for more than that, it would keep. */
const LARGE_BYTES = 500_000

/**
 * Reads documents in a thread of its own: no feed holds up the service, takes more than 3 s or 32 MB, or ends more than the
 * thread. One at a time, the others wait their turn. The thread is kept for the next, unless the document was a large one.
 *
 * @param options.program the threads' file, when it is another
 */
export function createFeedParser(options: { readonly clock: Clock; readonly program?: URL }): FeedParser {
  const { clock, program = threadProgram('feed-worker', import.meta.url) } = options
  const waiting: (() => void)[] = []
  let thread: ParserThread | undefined
  let isBusy = false
  let isClosed = false

  const turn = async (): Promise<void> => {
    if (isBusy) await new Promise<void>((resolve) => waiting.push(resolve))
    isBusy = true
  }
  /** Hands the turn on to who waits longest. */
  const endTurn = (): void => {
    const next = waiting.shift()
    if (next) next()
    else isBusy = false
  }

  return {
    parse: async (blocks, contentType, url) => {
      await turn()
      try {
        if (isClosed) return { kind: 'broken-off' }
        const isLarge = blocks.reduce((sum, { length }) => sum + length, 0) > LARGE_BYTES
        if (!thread?.isAlive) thread = startParserThread(program, clock)
        const feed = await thread.parse({ blocks, contentType, url })
        if (isLarge || !thread.isAlive) await thread.end()
        return feed
      } finally {
        endTurn()
      }
    },
    close: async () => {
      isClosed = true
      await thread?.end()
    },
  }
}
