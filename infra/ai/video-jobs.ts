import * as z from 'zod'
import type { HttpResponse } from '../http/http.ts'
import type { VideoServer } from '../runtime/generation-settings.ts'
import { jsonIn, wordsIn } from './provider-words.ts'

/** What the SDK does not know about how a provider tracks its jobs. */
export interface VideoJobs {
  /**
   * The part of the answer to a submission that identifies the job. The rest is dropped: it may be long, and report a stale job
   * status when it is replayed.
   */
  readonly submission: z.ZodType<Readonly<Record<string, unknown>>>
  /** SDK options: return right after the submission, poll without a pause. */
  readonly options: Readonly<Record<string, number>>
  /** Milliseconds between two looks. */
  readonly lookAgainMs: number
  /** Why a job failed, if the answer says that it did. */
  failure(answer: HttpResponse): string | undefined
}

const pollIntervalMs = 1

/** fal.ai/docs/documentation/model-apis: inference/queue and request-errors. */
const fal: VideoJobs = {
  submission: z.object({ request_id: z.string(), response_url: z.string() }),
  options: { pollIntervalMs },
  lookAgainMs: 5_000,
  // A job's own error has the status the model gave it, possibly 5xx; this header tells it from an error of the queue.
  failure: (answer) => {
    const type = answer.headers['x-fal-error-type']
    return type === undefined ? undefined : (wordsIn(answer) ?? type)
  },
}

const endedPrediction = z
  .object({ status: z.enum(['failed', 'canceled', 'aborted']), error: z.string().nullish().catch(undefined) })
  .transform(({ status, error }) => error ?? status)

/** replicate.com/docs/reference/http: predictions.create; `aborted`: replicate.com/changelog/2025-10-16-prediction-deadlines. */
const replicate: VideoJobs = {
  submission: z
    .object({ id: z.string(), urls: z.object({ get: z.string() }) })
    .transform((prediction) => ({ ...prediction, status: 'starting' })),
  // 1 is the minimum; without it the answer is held for up to a minute.
  options: { pollIntervalMs, maxWaitTimeInSeconds: 1 },
  lookAgainMs: 5_000,
  failure: (answer) => endedPrediction.safeParse(jsonIn(answer)).data,
}

const endedOperation = z.union([
  z.object({ done: z.literal(true), error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z
    .object({
      done: z.literal(true),
      response: z.object({
        generateVideoResponse: z.object({ raiMediaFilteredReasons: z.array(z.string()).min(1) }),
      }),
    })
    .transform(({ response }) => response.generateVideoResponse.raiMediaFilteredReasons.join(' ')),
])

/** ai.google.dev/gemini-api/docs/video: one look every 10 s; the filter reasons are in the response reference. */
const google: VideoJobs = {
  submission: z.object({ name: z.string().min(1) }),
  options: { pollIntervalMs },
  lookAgainMs: 10_000,
  failure: (answer) => endedOperation.safeParse(jsonIn(answer)).data,
}

export const VIDEO_JOBS: Readonly<Record<VideoServer['provider'], VideoJobs>> = { fal, replicate, google }
