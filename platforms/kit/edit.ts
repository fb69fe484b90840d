import type { PublishedPart } from '../../domain/post/publish-result.ts'
import type { PlatformIo, PublishJob } from './platform.ts'

/** Editing published posts. */
export interface Edit {
  /** Names of the options that it changes, beside the text. */
  readonly options: readonly string[]
  /**
   * Gives a post the text and these options of the job. Also a success if it has them: after a lost response it is repeated.
   *
   * @throws PlatformError, `Unsupported` if there is no way for this account or post
   */
  run(job: PublishJob, post: PublishedPart, io: PlatformIo): Promise<void>
}
