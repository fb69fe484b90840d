import * as z from 'zod'
import { GenerationError } from './generation-error.ts'
import type { Submission } from './recorded-submission.ts'
import { MAX_HANDLE_CHARS } from './video.ts'

/** Everything needed to resume a job, even if the settings have changed since. */
export interface Job {
  readonly provider: string
  /** As requested. */
  readonly model: string
  readonly submission: Submission
}

const jobSchema = z.strictObject({
  provider: z.string(),
  model: z.string(),
  submission: z.strictObject({ url: z.string(), answer: z.record(z.string(), z.unknown()) }),
})

/** A shorter key is a placeholder for a proxy, and may occur in any URL. */
const SHORTEST_SECRET = 16

/**
 * @throws GenerationError `ambiguous`: the job is running but cannot be tracked, because its handle is too long or contains the
 *   key
 */
export function handleOf(job: Job, apiKey: string | undefined): string {
  const handle = JSON.stringify(job)
  const hasSecret = apiKey !== undefined && apiKey.length >= SHORTEST_SECRET && handle.includes(apiKey)
  if (handle.length <= MAX_HANDLE_CHARS && !hasSecret) return handle
  throw new GenerationError('ambiguous', `${job.provider} started a job, but its response cannot be stored.`)
}

/** @throws GenerationError `permanent`: not a handle, or one from a provider other than the configured one */
export function jobOf(handle: string, provider: string): Job {
  const parsed = jobSchema.safeParse(jsonOf(handle))
  if (!parsed.success) throw new GenerationError('permanent', 'The stored data of the job could not be read.')
  const job = parsed.data
  if (job.provider === provider) return job
  throw new GenerationError(
    'permanent',
    `The job was started at ${job.provider}, but VIDEO_PROVIDER is now ${provider}.`,
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
