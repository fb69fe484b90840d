import * as z from 'zod'

/** What a thread builds, and where. */
export const shareSchema = z.object({
  /** The names of its read models. */
  names: z.array(z.string()).readonly(),
  connectionString: z.string(),
  eventStoreUrl: z.string().optional(),
  /** Base64, newest first. */
  masterKeys: z.array(z.string()).readonly(),
})
export type Share = z.infer<typeof shareSchema>

/** A thread's progress report, sent for each batch. */
export interface ShareProgress {
  /** The number of events read in the batch. */
  readonly events: number
  /** The position that its furthest-behind read models reach once this batch is written. */
  readonly position: bigint
}

/** Sent to a thread to end it after the current write. */
export const STOP = 'stop'
