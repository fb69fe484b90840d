import * as z from 'zod'
import { PlatformError, type PlatformIo, type PublishJob, type Publishing } from '../kit/platform.ts'
import { quoted } from '../kit/rest.ts'
import { listAs } from './call.ts'
import type { Upload, Video } from './session.ts'

const LOOK_AGAIN_MS = 15_000
/** After this a video counts as published: its id is final, and processing may take hours. */
export const WAIT_MS = 600_000
const LOCKED =
  'YouTube has not given the video the privacy that was requested. It locks the uploads of a Google Cloud project that has not passed its audit as private, for good: apply at https://support.google.com/youtube/contact/yt_api_form, and publish the post again after that.'

const videosAnswer = z.object({
  items: z.array(
    z.object({
      status: z.object({
        uploadStatus: z.string(),
        failureReason: z.string().optional(),
        rejectionReason: z.string().optional(),
        privacyStatus: z.string().optional(),
      }),
      processingDetails: z
        .object({ processingStatus: z.string(), processingFailureReason: z.string().optional() })
        .optional(),
    }),
  ),
})
type State = z.infer<typeof videosAnswer>['items'][number]

/** What was done with a video besides. */
export interface Finished {
  /** What is not done, and why, as sentences. */
  readonly notes: readonly string[]
  /** Whether some of it should be tried again. */
  readonly isOpen: boolean
  /** The upload with what is settled now, if more is than before. */
  readonly handle?: Upload
}

/**
 * The outcome of a video that YouTube has received.
 *
 * @param finished what else was done with it
 * @throws PlatformError only `permanent`: the video exists, so nothing may be sent again
 */
export async function outcomeOf(
  video: Video,
  { privacyStatus: asked }: Pick<Upload, 'privacyStatus'>,
  job: PublishJob,
  io: PlatformIo,
  { notes, isOpen, handle }: Finished = { notes: [], isOpen: false },
): Promise<Publishing> {
  const waiting = io.clock.now() < Date.parse(video.publishedAt) + WAIT_MS
  const later = (ms = 0): Publishing => {
    if (!waiting) return published(video, notes)
    const lookAgainMs = Math.max(LOOK_AGAIN_MS, Math.min(ms, WAIT_MS))
    return { outcome: 'processing', lookAgainMs, ...(handle && { handle }) }
  }
  let state: State | undefined
  try {
    state = await look(video, job, io)
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    // Without permission to read the status, waiting is pointless.
    return error.kind === 'retryable' ? later(error.retryAfterMs) : published(video, notes)
  }
  if (!state) {
    if (waiting) return later()
    throw new PlatformError('permanent', `YouTube accepted the video ${video.id} but no longer has it.`)
  }
  const reason = failureOf(state)
  if (reason !== undefined) throw new PlatformError('permanent', reason)
  if (waiting && (state.status.uploadStatus !== 'processed' || isOpen)) return later()
  return published(video, notes, (state.status.privacyStatus ?? asked) === asked)
}

async function look({ id }: Video, { account }: PublishJob, io: PlatformIo): Promise<State | undefined> {
  const { items } = await listAs(account, 'videos', { part: 'status,processingDetails', id }, videosAnswer, io)
  return items[0]
}

function failureOf({ status, processingDetails }: State): string | undefined {
  const because = (reason: string | undefined): string => quoted(reason ?? '') || 'no reason was given'
  switch (status.uploadStatus) {
    case 'processed':
      return undefined
    case 'failed':
      return `YouTube could not process the video: ${because(status.failureReason)}.`
    case 'rejected':
      return `YouTube rejected the video: ${because(status.rejectionReason)}.`
    case 'deleted':
      return 'The video was deleted on YouTube during processing.'
  }
  const { processingStatus, processingFailureReason } = processingDetails ?? {}
  return processingStatus === 'failed' || processingStatus === 'terminated'
    ? `YouTube could not process the video: ${because(processingFailureReason)}.`
    : undefined
}

/**
 * @param notes what was not done
 * @param asAsked whether the video has the requested privacy. YouTube locks uploads from projects that it has not audited:
 *   only the owner can see them, and Studio shows the reason.
 */
function published({ id }: Video, notes: readonly string[], asAsked = true): Publishing {
  const name = encodeURIComponent(id)
  const url = asAsked ? `https://www.youtube.com/watch?v=${name}` : `https://studio.youtube.com/video/${name}/edit`
  const note = [...(asAsked ? [] : [LOCKED]), ...notes].join(' ')
  return { outcome: 'published', published: { postId: id, url, ...(note !== '' && { note }) } }
}
