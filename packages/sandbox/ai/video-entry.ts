import * as z from 'zod'
import { CARD_SHAPES } from './card.ts'

/** The body of `POST /ai/videos`. */
export const videoRequest = z.strictObject({
  /** The same for every attempt at the same video. */
  key: z.string().min(1).max(200),
  prompt: z.string().min(1).max(4_000),
  aspectRatio: z.enum(CARD_SHAPES),
})
export type VideoRequest = Readonly<z.infer<typeof videoRequest>>

/** One line of the job file. */
export const videoEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begun'), job: videoRequest.extend({ id: z.string(), createdAt: z.string() }) }),
  z.object({ kind: z.literal('done'), id: z.string() }),
  /** Its clip no longer exists. */
  z.object({ kind: z.literal('lost'), id: z.string() }),
  z.object({ kind: z.literal('failed'), id: z.string(), error: z.string() }),
])
export type VideoEntry = z.infer<typeof videoEntry>

export interface VideoJob extends VideoRequest {
  readonly id: string
  /** ISO 8601 UTC. */
  readonly createdAt: string
  readonly status: 'rendering' | 'done' | 'failed'
  readonly progressPct: number
  /** Why it failed. */
  readonly error?: string
}
