import { Refusal } from '../domain/errors.ts'
import { findReply, type ReplyRow } from '../projections/replies.ts'
import type { Services } from './services.ts'

const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 250

/** A reply once it is as wanted, or as it is when patience ends (decisions, "Replies and comments"): the work goes on. */
export async function replyWhen(
  { db, clock, replyPatienceMs }: Services,
  id: string,
  isDone: (row: ReplyRow) => boolean,
): Promise<ReplyRow> {
  const end = clock.now() + replyPatienceMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const row = await findReply(db, id)
    if (!row) throw new Refusal('not_found', 'No such reply.')
    if (isDone(row) || clock.now() >= end) return row
    await clock.sleep(pauseMs)
  }
}
