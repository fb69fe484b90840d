import { z } from 'zod'

/** What a thread is to build, and where. */
export const shareSchema = z.object({
  /** Of its read models. */
  names: z.array(z.string()).readonly(),
  connectionString: z.string(),
  eventStoreUrl: z.string().optional(),
})
export type Share = z.infer<typeof shareSchema>

/** What a thread says of each batch. */
export interface ShareProgress {
  /** How many events it has read. */
  readonly events: number
  /** Where those of its read models stand that were the furthest behind, once this batch is written. */
  readonly position: bigint
}

/** What a thread is told that is to end after what it is writing. */
export const STOP = 'stop'
