import { fileTypeFromBuffer } from 'file-type'
import type { FileHash } from '../files.ts'
import { HEAD_BYTES } from '../measure.ts'
import type { StandInDeps } from '../stand-in.ts'
import type { Failures } from './failures.ts'
import { goLive, postOf, type Task } from './tasks.ts'

const TYPES: readonly string[] = ['video/mp4', 'video/quicktime', 'video/webm']

/** What has been received. Lost with the process: the upload is then empty again. */
export interface Progress {
  readonly next: number
  readonly hash: FileHash
  readonly head: Buffer
}

export interface Uploads {
  progress(task: Task): Progress
  /** The progress after this content, without storing it. */
  received(progress: Progress, content: AsyncIterable<Buffer> | readonly Buffer[]): Promise<Progress>
  keep(task: Task, progress: Progress): void
  /**
   * Completes the upload: the post is published, or fails.
   *
   * @param mimeType of the content
   */
  complete(task: Task, progress: Progress, mimeType: string): void
  /** How many bytes have been received, and why it failed, if it did. */
  state(task: Task): { readonly bytes: number; readonly failed: string | undefined }
}

export function uploadsOf(deps: StandInDeps, failures: Failures): Uploads {
  const inProgress = new Map<string, Progress>()
  const failed = new Map<string, string>()
  const progress = ({ publishId }: Task): Progress =>
    inProgress.get(publishId) ?? { next: 0, hash: deps.files.hash(), head: Buffer.alloc(0) }

  return {
    progress,
    received: async ({ next, hash, head }, content) => {
      const after = { next, hash: hash.copy(), head }
      for await (const chunk of content) {
        after.next += chunk.length
        after.hash.update(chunk)
        if (after.head.length < HEAD_BYTES) after.head = Buffer.concat([after.head, chunk]).subarray(0, HEAD_BYTES)
      }
      return after
    },
    keep: ({ publishId }, after) => void inProgress.set(publishId, after),
    complete: (task, after, mimeType) => {
      inProgress.set(task.publishId, after)
      const reason = failures(task) ?? (TYPES.includes(mimeType) ? undefined : 'file_format_check_failed')
      if (reason !== undefined) failed.set(task.publishId, reason)
      else if (!postOf(task, deps)) goLive(task, { mimeType, bytes: after.next, sha256: digestOf(after) }, deps)
    },
    state: (task) => ({
      bytes: postOf(task, deps) ? (task.upload?.bytes ?? 0) : progress(task).next,
      failed: failed.get(task.publishId),
    }),
  }
}

export async function typeOf({ head }: Progress): Promise<string> {
  return (await fileTypeFromBuffer(head))?.mime ?? 'application/octet-stream'
}

function digestOf({ hash }: Progress): string {
  return hash.copy().digest()
}
