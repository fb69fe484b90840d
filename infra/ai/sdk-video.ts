import * as z from 'zod'
import { VIDEO_BASE_URLS, type VideoServer } from '../runtime/generation-settings.ts'
import { GenerationError } from './generation-error.ts'
import {
  refusedLook,
  refusedRequest,
  withoutKey,
  unansweredLook,
  unansweredRequest,
  type Asked,
} from './generation-refusal.ts'
import { handleOf, jobOf } from './job-handle.ts'
import { actualAddress, isSuccess, providerSend, type ApiPlace } from './provider-http.ts'
import { jsonIn } from './provider-words.ts'
import { roundOf, submissionOf, type Round, type Run } from './recorded-submission.ts'
import { httpFailureIn } from './sdk-failure.ts'
import { providerOptions, type CreateVideoProvider, type GeneratorIo } from './sdk-generators.ts'
import type { Clip, ClipRequest, VideoModel } from './video.ts'
import { VIDEO_JOBS, type VideoJobs } from './video-jobs.ts'

const MAX_BYTES = 1024 * 1024
/** A queue accepts a job at once; some providers check the prompt first. */
const BEGIN = { timeoutMs: 60_000, maxBytes: MAX_BYTES }
const LOOK = { timeoutMs: 15_000, maxBytes: MAX_BYTES }

const generated = z.object({
  videos: z.tuple([z.object({ type: z.literal('url'), url: z.url({ protocol: /^https?$/ }) })], z.unknown()),
})

/** The SDK's error name for an answer that reports the job as done but contains no clip. */
const noClip = z.object({ name: z.string().endsWith('_VIDEO_GENERATION_ERROR') })

/** Clips from a provider over HTTP. The AI SDK's runs are split in two: a submission, and rounds that poll its job. */
export function sdkVideo(server: VideoServer, createProvider: CreateVideoProvider, io: GeneratorIo): VideoModel {
  const { provider, apiKey, baseUrl } = server
  const place = { known: VIDEO_BASE_URLS[provider], actual: baseUrl }
  const jobs = VIDEO_JOBS[provider]
  const asked: Asked = { ...io, provider, apiKey, keySetting: 'VIDEO_API_KEY' }
  const runOf = (model: string, { prompt, aspectRatio }: ClipRequest, abortSignal: AbortSignal): Run => {
    const call = { prompt, n: 1, aspectRatio, providerOptions: { [provider]: jobs.options }, abortSignal }
    return async (fetch) =>
      createProvider(providerOptions(apiKey, place.known, fetch))
        .video(model)
        .doGenerate(call)
  }
  return {
    proof: 'opaque',
    begin: async (request, signal) => {
      const { model } = server
      const submitting = submissionOf(runOf(model, request, signal), providerSend(io.http, place, BEGIN))
      const { url, answer } = await submitting.catch((error: unknown) => {
        signal.throwIfAborted()
        throw unansweredRequest(error, asked)
      })
      if (!isSuccess(answer)) throw refusedRequest(answer, asked)
      const parsed = jobs.submission.safeParse(jsonIn(answer))
      if (parsed.success) return handleOf({ provider, model, submission: { url, answer: parsed.data } }, apiKey)
      throw new GenerationError(
        'ambiguous',
        `${provider} accepted the request, but its response does not identify the job.`,
      )
    },
    look: async (handle, request, signal) => {
      const { model, submission } = jobOf(handle, provider)
      const round = await roundOf(runOf(model, request, signal), submission, providerSend(io.http, place, LOOK))
      if (round.ended === 'done') return { state: 'done', clip: clipIn(round.result, provider, place), provider, model }
      if (round.ended === 'waiting') {
        const pause = asked.retryAfterMs(round.poll?.headers['retry-after'], asked.clock.now())
        return { state: 'rendering', lookAgainMs: pause ?? jobs.lookAgainMs }
      }
      signal.throwIfAborted()
      throw failedLook(round, jobs, asked)
    },
  }
}

function clipIn(result: unknown, provider: string, place: ApiPlace): Clip {
  const parsed = generated.safeParse(result)
  if (!parsed.success) {
    throw new GenerationError('permanent', `${provider} made a clip, but returned no URL to download it from.`)
  }
  const { url } = parsed.data.videos[0]
  return { url: actualAddress(place, url) ?? url }
}

function failedLook(
  { error, poll }: Extract<Round, { ended: 'failed' }>,
  jobs: VideoJobs,
  asked: Asked,
): GenerationError {
  if (error instanceof GenerationError) return error
  const failure = httpFailureIn(error)
  if (failure) return unansweredLook(failure, asked)
  const reason = poll && jobs.failure(poll)
  if (reason !== undefined) {
    return new GenerationError('permanent', `The job failed at ${asked.provider}: ${withoutKey(reason, asked)}`)
  }
  if (poll && !isSuccess(poll)) return refusedLook(poll, asked)
  if (poll?.status === 200 && noClip.safeParse(error).success) {
    return new GenerationError('permanent', `The job ended at ${asked.provider} without a clip.`)
  }
  return new GenerationError('retryable', `The response from ${asked.provider} could not be read.`)
}
