import * as z from 'zod'
import type { LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'

const extrasSchema = z.object({
  /** The custom thumbnail. */
  thumbnail: z.object({ mimeType: z.string(), bytes: z.number(), sha256: z.string() }).optional(),
  /** Where it was added, once for each time. */
  playlists: z.array(z.object({ id: z.string(), item: z.string(), addedAt: z.string() })).default([]),
})
type Extras = Readonly<z.infer<typeof extrasSchema>>

/** What a video got after its upload. Kept with its file. */
export function extrasOf({ id }: LedgerPost, { ledger }: Pick<StandInDeps, 'ledger'>): Extras {
  return extrasSchema.parse(ledger.media('youtube', id)?.details ?? {})
}

export function saveExtras(video: LedgerPost, change: Partial<Extras>, deps: Pick<StandInDeps, 'ledger'>): void {
  const file = deps.ledger.media('youtube', video.id)
  if (file) deps.ledger.addMedia({ ...file, details: { ...extrasOf(video, deps), ...change } })
}
