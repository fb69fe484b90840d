import { z } from 'zod'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { MediaType } from '../../domain/core/platform.ts'
import { PlatformError, type Prepared, type PublishHandle, type PublishJob, type PlatformIo } from '../kit/platform.ts'
import { bodyOf, quoted } from '../kit/rest.ts'
import { callAs } from './api.ts'
import { LinkedInError } from './errors.ts'

/** What is known of a post before it is visible. */
const handleSchema = z.object({
  /** URN of the uploaded media, which no other upload ever has. */
  asset: z.string().regex(/^urn:li:(?:image|video):/),
  /** ISO 8601 UTC. The time-out of processing counts from here, and no post with the asset is older. */
  uploadedAt: z.iso.datetime(),
  /** ISO 8601 UTC. Where LinkedIn does not tell the account about its asset: from then on it is tried. */
  postAt: z.iso.datetime().optional(),
})
export type Handle = z.infer<typeof handleSchema>

interface Pace {
  /** Between the upload and the first look. */
  readonly lookAgainMs: number
  readonly giveUpMs: number
  /** How long to wait where no look is allowed. */
  readonly blindMs: number
}

const PACE: Readonly<Record<MediaType, Pace>> = {
  image: { lookAgainMs: 3_000, giveUpMs: 2 * 60_000, blindMs: 5_000 },
  video: { lookAgainMs: 5_000, giveUpMs: 15 * 60_000, blindMs: 60_000 },
}
const LONGEST_LOOK_MS = 60_000

const status = z.object({ status: z.string(), processingFailureReason: z.string().optional() })

export function handleOf(recorded: PublishHandle | undefined): Handle | undefined {
  return handleSchema.safeParse(recorded).data
}

/** An upload just completed: LinkedIn has to process it first. */
export function uploaded(asset: string, job: PublishJob, { clock }: PlatformIo): Prepared {
  const handle = { asset, uploadedAt: isoTime(clock.now()) }
  return { outcome: 'processing', handle, lookAgainMs: PACE[job.mediaType].lookAgainMs }
}

/**
 * How far LinkedIn is with an uploaded asset.
 *
 * @returns undefined when it has none of this name any more
 * @throws PlatformError `permanent` when it could not process it, or not in its time
 */
export async function processed(handle: Handle, job: PublishJob, io: PlatformIo): Promise<Prepared | undefined> {
  if (handle.postAt !== undefined) return blind(handle, handle.postAt, io)
  const pace = PACE[job.mediaType]
  try {
    const { status, processingFailureReason: reason } = await look(handle.asset, job, io)
    if (status === 'AVAILABLE') return { outcome: 'ready', handle }
    if (status === 'PROCESSING_FAILED') {
      const why = reason ? quoted(reason) : 'no reason was given'
      throw new PlatformError('permanent', `LinkedIn could not process the ${job.mediaType}: ${why}.`)
    }
  } catch (error) {
    if (!(error instanceof LinkedInError)) throw error
    if (error.status === 404) return undefined
    if (error.status !== 403) throw error
    // A token that may only post may not look: then time has to do.
    const postAt = isoTime(Date.parse(handle.uploadedAt) + pace.blindMs)
    return blind({ ...handle, postAt }, postAt, io)
  }
  const since = io.clock.now() - Date.parse(handle.uploadedAt)
  if (since > pace.giveUpMs) {
    const minutes = pace.giveUpMs / 60_000
    throw new PlatformError('permanent', `LinkedIn has not processed the ${job.mediaType} within ${minutes} minutes.`)
  }
  // Looks count against the day's quota: what takes long is asked for less and less often.
  const lookAgainMs = Math.min(Math.max(pace.lookAgainMs, Math.round(since / 4)), LONGEST_LOOK_MS)
  return { outcome: 'processing', handle, lookAgainMs }
}

function blind(handle: Handle, postAt: string, { clock }: PlatformIo): Prepared {
  const lookAgainMs = Date.parse(postAt) - clock.now()
  return lookAgainMs > 0 ? { outcome: 'processing', handle, lookAgainMs } : { outcome: 'ready', handle }
}

async function look(asset: string, job: PublishJob, io: PlatformIo): Promise<z.infer<typeof status>> {
  const path = `/rest/${job.mediaType}s/${encodeURIComponent(asset)}` as const
  const call = { method: 'GET', path } as const
  return bodyOf('linkedin', { ...call, url: path }, await callAs(job.account.baseUrl, call, io), status)
}
