import { findReply, type ReplyRow } from '../../projections/models/replies.ts'
import type { Services } from './services.ts'

const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 250

/**
 * Waits until a reply that is in the log is done, and returns it as it is after `replyPatienceMs` at the latest; the work
 * itself goes on (decisions, "Replies and comments").
 *
 * @throws Error when the read model does not have the reply by then
 */
export async function replyWhen(
  { db, clock, replyPatienceMs }: Services,
  id: string,
  isDone: (row: ReplyRow) => boolean,
): Promise<ReplyRow> {
  const end = clock.now() + replyPatienceMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const row = await findReply(db, id)
    const isOver = clock.now() >= end
    if (row && (isDone(row) || isOver)) return row
    if (isOver) throw new Error(`the read model of replies is behind: it does not know ${id} yet`)
    await clock.sleep(pauseMs)
  }
}
