import type { AspectRatio } from '../../domain/post/aspect-ratio.ts'

/** A model that makes a clip of a prompt. One file in this folder for each kind of provider. */
export interface VideoModel {
  /**
   * What may be done when the answer to `begin` was lost: begin again, because the provider knows the key and makes no second
   * job of it, or nothing, because it might be paid for twice.
   */
  readonly proof: 'idempotent-key' | 'opaque'
  /**
   * Begins a job, and does not wait for it.
   *
   * @returns the job's handle, to be written down before anything else: at most `MAX_HANDLE_CHARS`, no secret in it
   * @throws GenerationError
   */
  begin(request: ClipRequest, signal: AbortSignal): Promise<string>
  /**
   * Looks once at a job, by its handle alone; costs nothing.
   *
   * @throws GenerationError `permanent` when the job has failed or is not known any more; else `retryable`
   */
  look(handle: string, request: ClipRequest, signal: AbortSignal): Promise<ClipLook>
}

export interface ClipRequest {
  /** Names the job: the same for each attempt at the same clip. */
  readonly key: string
  readonly prompt: string
  readonly aspectRatio: AspectRatio
}

export const MAX_HANDLE_CHARS = 8_000

export type ClipLook =
  | { readonly state: 'rendering'; readonly lookAgainMs?: number | undefined }
  | { readonly state: 'done'; readonly clip: Clip; readonly provider: string; readonly model: string }

/** Where the clip is to be had, or the clip itself. A URL may hold a secret, and is valid for a short time. */
export type Clip = { readonly url: string } | { readonly bytes: Uint8Array }
