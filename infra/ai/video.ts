import type { AspectRatio } from '../../domain/post/aspect-ratio.ts'

/** A model that makes a clip from a prompt. One file in this folder per kind of provider. */
export interface VideoModel {
  /**
   * What to do when the answer to `begin` was lost: call it again, because the provider knows the key and starts no second job,
   * or nothing, because it might be billed twice.
   */
  readonly proof: 'idempotent-key' | 'opaque'
  /**
   * Starts a job without waiting for it.
   *
   * @returns the job's handle, to be stored before anything else: at most `MAX_HANDLE_CHARS`, contains no secret
   * @throws GenerationError
   */
  begin(request: ClipRequest, signal: AbortSignal): Promise<string>
  /**
   * Looks at a job once, by its handle alone; free of charge.
   *
   * @throws GenerationError `permanent` if the job failed or is no longer known; otherwise `retryable`
   */
  look(handle: string, request: ClipRequest, signal: AbortSignal): Promise<ClipLook>
}

export interface ClipRequest {
  /** Identifies the job: the same for every attempt at the same clip. */
  readonly key: string
  readonly prompt: string
  readonly aspectRatio: AspectRatio
}

export const MAX_HANDLE_CHARS = 8_000

export type ClipLook =
  | { readonly state: 'rendering'; readonly lookAgainMs?: number | undefined }
  | { readonly state: 'done'; readonly clip: Clip; readonly provider: string; readonly model: string }

/** Where to fetch the clip, or the clip itself. A URL may contain a secret and is valid for a short time. */
export type Clip = { readonly url: string } | { readonly bytes: Uint8Array }
