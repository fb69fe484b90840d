import type { PlatformKey } from '../core/platform.ts'

export interface AskedImage {
  readonly workspaceId: string
  readonly url: string
  /** As it is sent to this platform. Absent: as it is. */
  readonly platform?: PlatformKey | undefined
  /** What the post sets on that platform. */
  readonly options?: Readonly<Record<string, unknown>> | undefined
}

/**
 * A small copy of an image, for people to look at.
 *
 * @throws Refusal failed_precondition if it cannot be fetched or read, rate_limit_exceeded while the workspace has used up its share
 */
export type SmallImage = (asked: AskedImage) => Promise<{ readonly mimeType: string; readonly bytes: Uint8Array }>
