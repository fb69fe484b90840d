import * as z from 'zod'
import { isoTime } from '../../infra/runtime/clock.ts'
import { eachCheckedMedia } from './checked-media.ts'
import type { PlatformIo, Prepared, PublishHandle, PublishJob } from './platform.ts'

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

/**
 * All that there is to prepare of text alone.
 *
 * @param earlier the handle from an earlier attempt, if any
 * @throws PlatformError `permanent`, naming every broken rule
 */
export async function prepareText(
  rules: Parameters<typeof eachCheckedMedia>[0],
  job: PublishJob,
  io: PlatformIo,
  earlier: PublishHandle | undefined,
): Promise<Prepared> {
  await eachCheckedMedia(rules, job, io, async () => undefined)
  const before = readTextHandle(earlier)
  const handle: TextHandle = {
    since: before?.since ?? isoTime(io.clock.now()),
    sentBefore: before !== undefined,
  }
  return { outcome: 'ready', handle }
}
