import { z } from 'zod'
import { plainId } from '../kit/plain-id.ts'

/** A comment, or a reply to one. */
export interface Comment {
  readonly id: string
  readonly author: string
  /** The channel of who wrote it. YouTube does not tell it of everybody. */
  readonly authorId: string | undefined
  /** Of the caller's own as it was sent; of others' as it is shown. */
  readonly text: string
  /** Milliseconds since the epoch, to the second. */
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

/** What YouTube dates at the earliest that happens at a time (both ms since the epoch): it tells no parts of a second. */
export function asDated(time: number): number {
  return Math.floor(time / 1000) * 1000
}

/** Those that can be read. */
export function readable<T>(schema: z.ZodType<T>, items: readonly unknown[]): readonly T[] {
  return items.flatMap((item) => {
    const parsed = schema.safeParse(item)
    return parsed.success ? [parsed.data] : []
  })
}
