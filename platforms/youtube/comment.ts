import * as z from 'zod'
import { plainId } from '../kit/plain-id.ts'

/** A comment or a reply to one. */
export interface Comment {
  readonly id: string
  readonly author: string
  /** The author's channel, which YouTube does not always give. */
  readonly authorId: string | undefined
  /** As sent for the account's own comments, as displayed for others. */
  readonly text: string
  /** Milliseconds since the epoch, with a resolution of seconds. */
  readonly publishedAt: number
}

export const comment = z
  .object({
    id: plainId,
    snippet: z.object({
      authorDisplayName: z.string().catch(''),
      authorChannelId: z
        .object({ value: z.string().min(1) })
        .optional()
        .catch(undefined),
      textDisplay: z.string(),
      textOriginal: z.string().optional().catch(undefined),
      publishedAt: z.iso.datetime({ offset: true }),
    }),
  })
  .transform(({ id, snippet }): Comment => ({
    id,
    author: snippet.authorDisplayName,
    authorId: snippet.authorChannelId?.value,
    text: snippet.textOriginal ?? snippet.textDisplay,
    publishedAt: Date.parse(snippet.publishedAt),
  }))

/** Truncates a time (ms since the epoch) to seconds, like YouTube's timestamps. */
export function asDated(time: number): number {
  return Math.floor(time / 1000) * 1000
}

/** Parses the items and drops those that do not match. */
export function readable<T>(schema: z.ZodType<T>, items: readonly unknown[]): readonly T[] {
  return items.flatMap((item) => {
    const parsed = schema.safeParse(item)
    return parsed.success ? [parsed.data] : []
  })
}
