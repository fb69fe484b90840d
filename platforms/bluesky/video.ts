import * as z from 'zod'
import type { HttpResponse } from '../../infra/http/http.ts'
import type { SpooledMedia } from '../../infra/media/media.ts'
import { PlatformError } from '../kit/platform.ts'
import { blobSchema, type Blob } from './blob.ts'
import { uploadTimeoutMs } from '../kit/rest.ts'
import { refused } from './errors.ts'
import type { Session } from './session.ts'
import { isSuccess, send, unreadable, xrpc, type XrpcIo } from './xrpc.ts'

/** A video service and the account servers it works for. */
export interface VideoService {
  /** Without a trailing slash. */
  readonly url: string
  /** Whether it delivers finished videos to this account server. */
  serves(host: string): boolean
}

/**
 * Bluesky's service works for the servers that Bluesky runs, but not for an account known only by the login host,
 * bsky.social: the service token must name the account's own server.
 */
export const blueskyVideoService: VideoService = {
  url: 'https://video.bsky.app',
  serves: (host) => new URL(host).hostname.endsWith('.host.bsky.network'),
}

const POLL_EVERY_MS = 2_000
const GIVE_UP_AFTER_MS = 600_000

/** Lifetime in seconds of the token with which the service delivers the finished video; at most 3,600 is granted. */
const TOKEN_LIFETIME_S = 1_800

const jobStatus = z.object({
  /** Empty in a refusal. */
  jobId: z.string().optional(),
  state: z.string().optional(),
  blob: blobSchema.optional(),
  error: z.string().optional(),
  message: z.string().optional(),
  failureCode: z.string().optional(),
})
type JobStatus = z.infer<typeof jobStatus>

/** The lexicon wraps the status, the live service does not. */
const jobAnswer = z.union([z.object({ jobStatus }).transform((answer) => answer.jobStatus), jobStatus])

/** Values of `failureCode` that a retry cannot fix. */
const BAD_VIDEO: ReadonlySet<string> = new Set([
  'validation_failure',
  'encoding_failure',
  'pds_upload_unsupported_blob_size',
])

/**
 * Transcodes the video before the post is visible. A video that was already transcoded is returned right away.
 *
 * @param name file name, unique within the account
 * @throws PlatformError
 */
export async function transcode(
  media: SpooledMedia,
  name: string,
  service: VideoService,
  session: Session,
  io: XrpcIo,
): Promise<Blob> {
  const deadline = io.clock.now() + GIVE_UP_AFTER_MS
  let job = await submit(media, name, service, session, io)
  const { jobId } = job
  for (;;) {
    // Check the blob first: a video that was processed before is reported as an error that carries its blob.
    if (job.blob) return job.blob
    if (jobId === undefined || job.state === 'JOB_STATE_FAILED' || job.state === 'JOB_STATE_COMPLETED')
      throw failed(job)
    await io.clock.sleep(POLL_EVERY_MS, io.signal)
    if (io.signal.aborted || io.clock.now() >= deadline) {
      throw new PlatformError('retryable', 'Bluesky is still processing the video.')
    }
    job = await poll(jobId, service, io)
  }
}

async function submit(
  media: SpooledMedia,
  name: string,
  service: VideoService,
  session: Session,
  io: XrpcIo,
): Promise<JobStatus> {
  const { bytes, mimeType } = media.facts
  const token = await serviceToken(session, io)
  const call = {
    host: service.url,
    method: 'POST',
    nsid: 'app.bsky.video.uploadVideo',
    query: { did: session.did, name },
    token,
    body: { stream: media.open(), bytes, mimeType },
    timeoutMs: uploadTimeoutMs(bytes),
  } as const
  const response = await send(call, io)
  const job = jobIn(response)
  // `already_exists` has an error status but carries everything needed.
  if (job && (job.blob ?? job.jobId ?? '') !== '') return job
  throw isSuccess(response) && !job?.error ? unreadable(undefined, 'hidden') : refused(response, 'hidden', io.clock)
}

/** The job's progress. A failed poll does not justify another upload, so it is ignored; the next one may succeed. */
async function poll(jobId: string, service: VideoService, io: XrpcIo): Promise<JobStatus> {
  const call = { host: service.url, method: 'GET', nsid: 'app.bsky.video.getJobStatus', query: { jobId } } as const
  try {
    return await xrpc(call, jobAnswer, io)
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'retryable') return {}
    throw error
  }
}

/** A token that lets the service store the finished video for the account. */
async function serviceToken(session: Session, io: XrpcIo): Promise<string> {
  const query = {
    aud: `did:web:${new URL(session.host).hostname}`,
    lxm: 'com.atproto.repo.uploadBlob',
    exp: String(Math.floor(io.clock.now() / 1000) + TOKEN_LIFETIME_S),
  }
  const { host, accessJwt: token } = session
  const call = { host, method: 'GET', nsid: 'com.atproto.server.getServiceAuth', query, token } as const
  return (await xrpc(call, z.object({ token: z.string().min(1) }), io)).token
}

function jobIn(response: HttpResponse): JobStatus | undefined {
  try {
    return jobAnswer.parse(response.json())
  } catch {
    return undefined
  }
}

function failed(job: JobStatus): PlatformError {
  const kind = BAD_VIDEO.has(job.failureCode ?? '') ? 'permanent' : 'retryable'
  const why = [job.failureCode, job.error, job.message].filter((part) => part !== undefined && part !== '').join(', ')
  return new PlatformError(kind, `Bluesky could not process the video: ${why || 'no reason was given'}.`)
}
