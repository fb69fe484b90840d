/** A video's `status` at each step. */
function statusOf(video_status: string, uploading: string, processing: string, publishing_phase: object): object {
  return {
    video_status,
    uploading_phase: { status: uploading },
    processing_phase: { status: processing },
    publishing_phase,
  }
}

const NOT_STARTED = { status: 'not_started' }

export const EMPTY = statusOf('uploading', 'not_started', 'not_started', NOT_STARTED)
export const PROCESSING = statusOf('processing', 'complete', 'in_progress', NOT_STARTED)
export const PROCESSED = statusOf('ready', 'complete', 'complete', NOT_STARTED)
export const PUBLISHING = statusOf('ready', 'complete', 'complete', { status: 'in_progress' })
export const PUBLISHED = statusOf('ready', 'complete', 'complete', { status: 'complete', publish_status: 'published' })
export const EXPIRED = { video_status: 'expired' }

export function failedFor(code: number): object {
  const errors = [{ code, message: `The video cannot be used (${code})` }]
  return {
    ...statusOf('error', 'complete', 'error', NOT_STARTED),
    processing_phase: { status: 'error', errors },
  }
}
