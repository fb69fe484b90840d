import { z } from 'zod'
import { GenerationError } from './generation-error.ts'
import type { Submission } from './recorded-submission.ts'
import { MAX_HANDLE_CHARS } from './video.ts'

/** All that is needed to go on with a job, whatever the settings say by then. */
export interface Job {
  readonly provider: string
  /** As it was asked for. */
  readonly model: string
  readonly submission: Submission
}

const jobSchema = z.strictObject({
  provider: z.string(),
  model: z.string(),
  submission: z.strictObject({ url: z.string(), answer: z.record(z.string(), z.unknown()) }),
})

/** A shorter key is a placeholder for a proxy, and may be a word of any address. */
const SHORTEST_SECRET = 16

/** @throws GenerationError `ambiguous`: the job is under way, and can not be followed, since its handle would hold too much */
export function handleOf(job: Job, apiKey: string | undefined): string {
  const handle = JSON.stringify(job)
  const hasSecret = apiKey !== undefined && apiKey.length >= SHORTEST_SECRET && handle.includes(apiKey)
  if (handle.length <= MAX_HANDLE_CHARS && !hasSecret) return handle
  throw new GenerationError('ambiguous', `${job.provider} has begun a job, and names it in a way that can not be kept.`)
}

/** @throws GenerationError `permanent`: it is no handle, or one of another provider than that of the settings */
export function jobOf(handle: string, provider: string): Job {
  const parsed = jobSchema.safeParse(jsonOf(handle))
  if (!parsed.success) throw new GenerationError('permanent', 'What is known of the job can not be understood.')
  const job = parsed.data
  if (job.provider === provider) return job
  throw new GenerationError('permanent', `The job was begun at ${job.provider}, and VIDEO_PROVIDER is ${provider} now.`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
