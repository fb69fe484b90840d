import * as z from 'zod'
import { PlatformError, type PlatformAccount, type PlatformIo } from '../kit/platform.ts'
import { quoted } from '../kit/rest.ts'
import { callAs } from './call.ts'
import { is } from './errors.ts'

/** The processing state of an upload. */
export type MediaState =
  | { readonly state: 'ready' }
  | { readonly state: 'processing'; readonly lookAgainMs: number }
  | { readonly state: 'failed'; readonly error: string }

/** Polling interval in seconds: the default if X gives none, and the bounds for the one it gives. */
const LOOK_AGAIN_S = { usual: 5, least: 1, most: 60 }
/** X sets no limit; an upload that takes this long counts as stuck. Videos of two hours take their time. */
const GIVE_UP_AFTER_MS = 60 * 60_000

const text = z.string().catch('')
export const processingInfo = z.object({
  state: z.string(),
  check_after_secs: z.number().optional().catch(undefined),
  error: z.object({ name: text, message: text }).optional().catch(undefined),
})

const status = z.object({ data: z.object({ processing_info: processingInfo.optional() }) })

/** Without processing info there is nothing to wait for. */
export function stateOf(info: z.infer<typeof processingInfo> | undefined): MediaState {
  if (!info || info.state === 'succeeded') return { state: 'ready' }
  if (info.state === 'failed') {
    const words = quoted([info.error?.name, info.error?.message].filter(Boolean).join(': '))
    return { state: 'failed', error: `X could not process the media${words === '' ? '' : `: ${words}`}.` }
  }
  const seconds = info.check_after_secs ?? LOOK_AGAIN_S.usual
  const bounded = Math.min(Math.max(seconds, LOOK_AGAIN_S.least), LOOK_AGAIN_S.most)
  return { state: 'processing', lookAgainMs: bounded * 1_000 }
}

/** Reads the processing state. @returns undefined if X does not know the upload, or no longer does */
export async function mediaState(
  mediaId: string,
  account: PlatformAccount,
  io: PlatformIo,
): Promise<MediaState | undefined> {
  const path = `/2/media/upload?command=STATUS&media_id=${mediaId}`
  try {
    return stateOf((await callAs(account, { method: 'GET', path }, status, io)).data.processing_info)
  } catch (error) {
    if (is(error, 'missing', 'bad request', 'unusable media')) return undefined
    throw error
  }
}

/** @throws PlatformError `permanent` if X takes too long */
export function mustNotBeStuck(uploadedAt: string, now: number): void {
  if (now - Date.parse(uploadedAt) < GIVE_UP_AFTER_MS) return
  throw new PlatformError(
    'permanent',
    `X did not finish processing the media within ${GIVE_UP_AFTER_MS / 60_000} minutes.`,
  )
}
