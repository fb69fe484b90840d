import * as z from 'zod'
import { POST_TYPES, type PlatformKey } from '../../../domain/core/platform.ts'
import type { StandInDeps } from '../stand-in.ts'

const containerSchema = z.object({
  id: z.string(),
  accountId: z.string(),
  /** Empty for text alone. */
  mediaUrl: z.string(),
  mediaType: z.enum(POST_TYPES).exclude(['document']),
  text: z.string(),
  altText: z.string().optional(),
  /** Whether it is an item of a carousel. */
  isItem: z.boolean().optional(),
  /** The containers of a carousel's items. */
  children: z.array(z.string()).optional(),
  /** What else the post has, by the name of the parameter. */
  details: z.record(z.string(), z.string()).optional(),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
  /** Looks so far, and the number that they must exceed before it is finished. */
  looks: z.number(),
  looksNeeded: z.number(),
  /** Whether its media were fetched, and what is wrong with them. */
  isFetched: z.boolean(),
  fault: z.string().optional(),
})
export type Container = Readonly<z.infer<typeof containerSchema>>

/** Containers as stored in the ledger, so that they survive a restart. */
export function keptContainers(platform: PlatformKey, { ledger }: StandInDeps) {
  return {
    save: (container: Container): void => {
      const { id, accountId, mediaType, mediaUrl: sourceUrl } = container
      // The ledger has no kind for text: the container's own is in its details.
      const kind = mediaType === 'text' ? 'image' : mediaType
      const kept = { id, platform, accountId, mediaType: kind, sourceUrl, details: container } as const
      ledger.addMedia({ ...kept, mimeType: 'application/json', bytes: 0, sha256: '' })
    },
    read: (id: string): Container | undefined => containerSchema.safeParse(ledger.media(platform, id)?.details).data,
  }
}
