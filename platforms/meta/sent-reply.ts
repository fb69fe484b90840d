import type { ReplyJob, SentReply } from '../kit/conversation.ts'
import type { Search } from '../kit/platform.ts'
import { listedSince } from './post-list.ts'
import { readsAs } from './same-text.ts'

/** Something that was written where a reply is looked for. */
export interface Written {
  readonly id: string
  readonly url?: string | undefined
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Undefined where the author is not told. */
  readonly isOurs: boolean | undefined
}

/** From when on (ms since the epoch, by Meta's clock) a reply can have been sent. */
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
  // A list that is read while it grows may tell one twice.
  const ours = new Map(same.filter(({ isOurs }) => isOurs !== false).map((each) => [each.id, each]))
  const [one, ...more] = ours.values()
  if (!one) return { outcome: 'absent' }
  if (more.length > 0 || one.isOurs === undefined) return { outcome: 'unknown' }
  return { outcome: 'found', found: { replyId: one.id, ...(one.url !== undefined && { url: one.url }) } }
}
