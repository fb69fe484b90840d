import type { MediaType } from '../../domain/core/platform.ts'
import { PlatformError, type Processing, type Published, type Publishing } from '../kit/platform.ts'
import type { Standing } from './status.ts'

const MINUTE_MS = 60_000
/** The polling interval by the age of the post (ms). */
const PACE = [
  { untilMs: MINUTE_MS, everyMs: 5_000 },
  { untilMs: 15 * MINUTE_MS, everyMs: 15_000 },
] as const
const SLOW_MS = 5 * MINUTE_MS

/** How long to wait for a public post to get the id used in its URL. */
const ID_WITHIN_MS = 10 * MINUTE_MS
/** TikTok sets no limit, and moderation may take hours. Beyond this the outcome is unknown. */
const GIVE_UP_AFTER_MS = 24 * 60 * MINUTE_MS
/** From this age (ms) on, failed status checks are repeated at the usual interval without limit. */
const PATIENT_AFTER_MS = 30 * MINUTE_MS

export interface Known {
  readonly publishId: string
  /** ISO 8601 UTC. The post's age counts from here. */
  readonly startedAt: string
  readonly username: string
  readonly isPublic: boolean
}

/** @throws PlatformError `ambiguous` if TikTok takes too long */
export function outcomeOf(
  standing: Exclude<Standing, { step: 'failed' }>,
  known: Known,
  mediaType: MediaType,
  now: number,
): Publishing {
  const { publishId, startedAt, username, isPublic } = known
  const ageMs = now - Date.parse(startedAt)
  if (standing.step === 'complete') {
    const { postId, isInInbox } = standing
    if (isInInbox) return out({ postId: publishId, note: inboxNote(mediaType) })
    if (postId !== undefined) return out({ postId, ...linkOf(username, mediaType, postId) })
    return isPublic && ageMs < ID_WITHIN_MS ? lookAgain(startedAt, now) : out({ postId: publishId })
  }
  if (ageMs < GIVE_UP_AFTER_MS) return lookAgain(startedAt, now)
  throw new PlatformError('ambiguous', 'TikTok did not finish processing the post within 24 hours.')
}

export function lookAgain(startedAt: string, now: number): Processing {
  const ageMs = now - Date.parse(startedAt)
  const { everyMs } = PACE.find(({ untilMs }) => ageMs < untilMs) ?? { everyMs: SLOW_MS }
  return { outcome: 'processing', lookAgainMs: everyMs }
}

/** Keeps waiting if a status check fails for a post that has waited long. @throws what the work throws otherwise */
export async function patiently<T>(startedAt: string, now: number, work: () => Promise<T>): Promise<T | Processing> {
  try {
    return await work()
  } catch (error) {
    const ageMs = now - Date.parse(startedAt)
    if (!(error instanceof PlatformError) || error.kind !== 'retryable' || error.startOver) throw error
    if (ageMs < PATIENT_AFTER_MS || ageMs >= GIVE_UP_AFTER_MS) throw error
    const { outcome, lookAgainMs } = lookAgain(startedAt, now)
    return { outcome, lookAgainMs: Math.max(lookAgainMs, error.retryAfterMs ?? 0) }
  }
}

function out(published: Published): { readonly outcome: 'published'; readonly published: Published } {
  return { outcome: 'published', published }
}

function inboxNote(mediaType: MediaType): string {
  const caption = mediaType === 'video' ? ' TikTok takes no caption with a video there: enter it in the app.' : ''
  return `It is in the TikTok inbox of the account. Open the notification in the TikTok app to publish it.${caption}`
}

function linkOf(username: string, mediaType: MediaType, postId: string): { readonly url?: string } {
  if (username === '') return {}
  const kind = mediaType === 'video' ? 'video' : 'photo'
  return { url: `https://www.tiktok.com/@${encodeURIComponent(username)}/${kind}/${encodeURIComponent(postId)}` }
}
