import { PlatformError, type PlatformErrorKind } from '../kit/platform.ts'
import { quoted } from '../kit/rest.ts'
import { named, rows } from './errors.ts'

interface Meaning {
  readonly kind: PlatformErrorKind
  readonly says: string
}

const media = (what: string): Meaning => ({ kind: 'permanent', says: `TikTok does not accept the ${what}` })
const PULL: Meaning = { kind: 'retryable', says: 'TikTok could not fetch the media from its host' }

/** By `fail_reason`. A failed post is certainly not published. */
const BY_REASON: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['file_format_check_failed', media('format of the media')],
  ['duration_check_failed', media('duration of the video')],
  ['frame_rate_check_failed', media('frame rate of the video')],
  ['picture_size_check_failed', media('size of the image')],
  ['video_pull_failed', PULL],
  ['photo_pull_failed', PULL],
  ['internal', { kind: 'retryable', says: 'TikTok failed while processing the post' }],
  ['auth_removed', { kind: 'needs-reauth', says: 'The access was revoked in the meantime. Connect the account again' }],
  ['publish_cancelled', { kind: 'permanent', says: 'The post was cancelled on TikTok' }],
])

/** Why TikTok did not publish a post it had accepted. A retry has to start from scratch. */
export function failureOf(reason: string): PlatformError {
  const meaning = BY_REASON.get(reason)
  const refusal = named([reason])
  const limit = refusal && rows[refusal]
  const says = meaning?.says ?? limit?.text ?? 'TikTok did not publish the post'
  const kind = meaning?.kind ?? (limit?.kind === 'retryable' ? 'retryable' : 'permanent')
  const rests = limit?.accountRests ? { retryAfterMs: limit.waitMs, accountRests: true } : {}
  const reported = quoted(reason) || 'no reason was given'
  return new PlatformError(kind, `${says} (${reported}).`, { startOver: kind === 'retryable', ...rests })
}
