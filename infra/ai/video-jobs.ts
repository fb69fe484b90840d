import { z } from 'zod'
import type { HttpResponse } from '../http/http.ts'
import type { VideoServer } from '../runtime/generation-settings.ts'
import { jsonIn, wordsIn } from './provider-words.ts'

/** How a provider keeps its jobs, as far as the SDK does not tell. */
export interface VideoJobs {
  /**
   * What of the answer to a submission leads to the job. The rest is left out: it may be long, and say how the job stood when
   * it is asked for again.
   */
  readonly submission: z.ZodType<Readonly<Record<string, unknown>>>
  /** The SDK's options: submit and come back, ask again without a pause. */
  readonly options: Readonly<Record<string, number>>
  /** Milliseconds between two looks. */
  readonly lookAgainMs: number
  /** Why a job has come to nothing, where an answer says that it has. */
  failure(answer: HttpResponse): string | undefined
}

const pollIntervalMs = 1

/** fal.ai/docs/documentation/model-apis: inference/queue and request-errors. */
const fal: VideoJobs = {
  submission: z.object({ request_id: z.string(), response_url: z.string() }),
  options: { pollIntervalMs },
  lookAgainMs: 5_000,
  // The job's own error comes with the status that the model gave it, 5xx among them; this header tells it from one of the queue.
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
  // 1 is the least; without it the answer waits for up to a minute.
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

/** ai.google.dev/gemini-api/docs/video: one look in 10 s; the reasons for what was filtered are in the reference of the response. */
const google: VideoJobs = {
  submission: z.object({ name: z.string().min(1) }),
  options: { pollIntervalMs },
  lookAgainMs: 10_000,
  failure: (answer) => endedOperation.safeParse(jsonIn(answer)).data,
}

export const VIDEO_JOBS: Readonly<Record<VideoServer['provider'], VideoJobs>> = { fal, replicate, google }
