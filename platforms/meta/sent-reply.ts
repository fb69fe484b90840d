import type { ReplyJob, SentReply } from '../kit/conversation.ts'
import type { Search } from '../kit/platform.ts'
import { listedSince } from './post-list.ts'
import { readsAs } from './same-text.ts'

/** A comment found where a reply is searched for. */
export interface Written {
  readonly id: string
  readonly url?: string | undefined
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Undefined if the author is unknown. */
  readonly isOurs: boolean | undefined
}

/** Earliest time (ms since the epoch, Meta's clock) at which a reply can have been sent. */
export function sentFrom({ approvedAt }: Pick<ReplyJob, 'approvedAt'>): number {
  return listedSince(Date.parse(approvedAt)) * 1000
}

/** @param texts the forms in which it may have been sent */
export function replyAmong(
  written: readonly Written[],
  texts: readonly string[],
  job: Pick<ReplyJob, 'approvedAt'>,
): Search<SentReply> {
  const from = sentFrom(job)
  const same = written.filter(({ text, at }) => at >= from && texts.some((each) => readsAs(each, text)))
  // A list that grows while it is read may contain an item twice.
  const ours = new Map(same.filter(({ isOurs }) => isOurs !== false).map((each) => [each.id, each]))
  const [one, ...more] = ours.values()
  if (!one) return { outcome: 'absent' }
  if (more.length > 0 || one.isOurs === undefined) return { outcome: 'unknown' }
  return { outcome: 'found', found: { replyId: one.id, ...(one.url !== undefined && { url: one.url }) } }
}
