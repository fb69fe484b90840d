import * as z from 'zod'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { MediaType } from '../../domain/core/platform.ts'
import { someMedia } from '../kit/checked-media.ts'
import { hasStatus } from '../kit/errors.ts'
import { PlatformError, type Prepared, type PublishHandle, type PublishJob, type PlatformIo } from '../kit/platform.ts'
import { bodyOf, quoted } from '../kit/rest.ts'
import { callAs } from './api.ts'

/** The state of a post before it is visible. */
const handleSchema = z.object({
  /** URN of the uploaded media, unique to this upload. */
  asset: z.string().regex(/^urn:li:(?:image|video|document):/),
  /** Those of further images. Absent in handles of earlier versions. */
  more: z.array(z.string().regex(/^urn:li:image:/)).default([]),
  /** ISO 8601 UTC. The processing timeout starts here, and no post with the asset is older. */
  uploadedAt: z.iso.datetime(),
  /** ISO 8601 UTC. When to try to publish if the account may not read the status of its asset. */
  postAt: z.iso.datetime().optional(),
})
export type Handle = z.infer<typeof handleSchema>

interface Pace {
  /** Time between the upload and the first status check. */
  readonly lookAgainMs: number
  readonly giveUpMs: number
  /** How long to wait if the status may not be read. */
  readonly blindMs: number
}

const PACE: Readonly<Record<MediaType, Pace>> = {
  image: { lookAgainMs: 3_000, giveUpMs: 2 * 60_000, blindMs: 5_000 },
  video: { lookAgainMs: 5_000, giveUpMs: 15 * 60_000, blindMs: 60_000 },
  document: { lookAgainMs: 3_000, giveUpMs: 10 * 60_000, blindMs: 20_000 },
}
const LONGEST_LOOK_MS = 60_000

const status = z.object({ status: z.string(), processingFailureReason: z.string().optional() })

function typeOf(job: PublishJob): MediaType {
  return someMedia(job)[0].type
}

export function handleOf(recorded: PublishHandle | undefined): Handle | undefined {
  return handleSchema.safeParse(recorded).data
}

/** The result of completed uploads, which LinkedIn has to process first. */
export function uploaded(asset: string, more: readonly string[], job: PublishJob, { clock }: PlatformIo): Prepared {
  const handle = { asset, more, uploadedAt: isoTime(clock.now()) }
  return { outcome: 'processing', handle, lookAgainMs: PACE[typeOf(job)].lookAgainMs }
}

/**
 * The processing state of the uploaded assets.
 *
 * @returns undefined if LinkedIn no longer has one of them
 * @throws PlatformError `permanent` if processing failed or timed out
 */
export async function processed(handle: Handle, job: PublishJob, io: PlatformIo): Promise<Prepared | undefined> {
  if (handle.postAt !== undefined) return blind(handle, handle.postAt, io)
  const pace = PACE[typeOf(job)]
  try {
    const notReady = await firstNotReady([handle.asset, ...handle.more], job, io)
    if (!notReady) return { outcome: 'ready', handle }
    const { status, processingFailureReason: reason } = notReady
    if (status === 'PROCESSING_FAILED') {
      const why = reason ? quoted(reason) : 'no reason was given'
      throw new PlatformError('permanent', `LinkedIn could not process the ${typeOf(job)}: ${why}.`)
    }
  } catch (error) {
    if (hasStatus(error, 404)) return undefined
    if (!hasStatus(error, 403)) throw error
    // A token that may only post cannot read the status, so wait a fixed time instead.
    const postAt = isoTime(Date.parse(handle.uploadedAt) + pace.blindMs)
    return blind({ ...handle, postAt }, postAt, io)
  }
  const since = io.clock.now() - Date.parse(handle.uploadedAt)
  if (since > pace.giveUpMs) {
    const minutes = pace.giveUpMs / 60_000
    throw new PlatformError(
      'permanent',
      `LinkedIn did not finish processing the ${typeOf(job)} within ${minutes} minutes.`,
    )
  }
  // Status checks count against the daily quota, so back off.
  const lookAgainMs = Math.min(Math.max(pace.lookAgainMs, Math.round(since / 4)), LONGEST_LOOK_MS)
  return { outcome: 'processing', handle, lookAgainMs }
}

function blind(handle: Handle, postAt: string, { clock }: PlatformIo): Prepared {
  const lookAgainMs = Date.parse(postAt) - clock.now()
  return lookAgainMs > 0 ? { outcome: 'processing', handle, lookAgainMs } : { outcome: 'ready', handle }
}

async function firstNotReady(
  assets: readonly string[],
  job: PublishJob,
  io: PlatformIo,
): Promise<z.infer<typeof status> | undefined> {
  for (const asset of assets) {
    const state = await look(asset, job, io)
    if (state.status !== 'AVAILABLE') return state
  }
  return undefined
}

async function look(asset: string, job: PublishJob, io: PlatformIo): Promise<z.infer<typeof status>> {
  const path = `/rest/${typeOf(job)}s/${encodeURIComponent(asset)}` as const
  const call = { method: 'GET', path } as const
  return bodyOf('linkedin', { ...call, url: path }, await callAs(job.account.baseUrl, call, io), status)
}
