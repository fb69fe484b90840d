import type { Clock } from '../../../infra/runtime/clock.ts'
import { threadProgram } from '../../../infra/runtime/thread-program.ts'
import type { FeedDocument, ParsedFeed } from './feed.ts'
import { startParserThread, type ParserThread } from './parser-thread.ts'

export interface FeedParser {
  /**
   * Any document yields an outcome, never an error.
   *
   * @param blocks the document's bytes; ownership passes to the parser, with all of the memory that they are part of
   * @param contentType the header as sent
   * @param url of the document, after redirects
   * @throws when the system cannot start a thread
   */
  parse(blocks: FeedDocument['blocks'], contentType: string, url: string): Promise<ParsedFeed>
  /** Stops the threads; documents in progress, or submitted later, yield `broken-off`. */
  close(): Promise<void>
}

/** A thread does not give back the memory that a larger document took. */
const LARGE_BYTES = 500_000

/**
 * Parses documents in a separate thread: no feed blocks the service, takes more than 3 s or 32 MB, or crashes more than the
 * thread. Documents are parsed one at a time. The thread is reused unless the document was large.
 *
 * @param options.program the thread's script, if not the default
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
  /** Passes the turn to the caller that has waited longest. */
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
