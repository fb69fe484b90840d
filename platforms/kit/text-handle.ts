import * as z from 'zod'
import { isoTime, type Clock } from '../../infra/runtime/clock.ts'
import type { PublishHandle } from './platform.ts'

/** Of a text post that carries no marker of ours, and is recognized by its text. */
const textHandleSchema = z.strictObject({
  /** When the first attempt began; the post cannot be older. */
  since: z.iso.datetime(),
  /** Whether an earlier attempt may have sent the post, without a known success. */
  sentBefore: z.boolean(),
})
export type TextHandle = Readonly<z.infer<typeof textHandleSchema>>

/** @returns undefined for the handle of a post with media */
export function readTextHandle(given: PublishHandle | undefined): TextHandle | undefined {
  return textHandleSchema.safeParse(given).data
}

/** @param given the handle from an earlier attempt, if any */
export function textHandle(given: PublishHandle | undefined, clock: Clock): TextHandle {
  const earlier = readTextHandle(given)
  return { since: earlier?.since ?? isoTime(clock.now()), sentBefore: earlier !== undefined }
}
