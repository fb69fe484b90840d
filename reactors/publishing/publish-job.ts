import type { KnownAccount } from '../../domain/account/account.ts'
import { finalText } from '../../domain/post/caption.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { mediaOf } from '../../domain/post/post-media.ts'
import type { QueuedPost } from '../../domain/post/post.ts'
import { optionsFor } from '../../platforms/kit/options-for.ts'
import type { Platform, PublishJob } from '../../platforms/kit/platform.ts'

export type JobContent = Pick<
  QueuedPost,
  | 'mediaUrl'
  | 'mediaType'
  | 'media'
  | 'caption'
  | 'captionOverrides'
  | 'hashtags'
  | 'platformOptions'
  | 'accountOptions'
  | 'queuedAt'
>

/** The job that publishes a post on one of its accounts. */
export function publishJob(
  postId: string,
  {
    id,
    platform,
    externalId,
    baseUrl,
    postDefaults,
  }: Pick<KnownAccount, 'platform' | 'externalId' | 'baseUrl' | 'postDefaults'> & { readonly id: string },
  content: JobContent,
  connector: Pick<Platform, 'joinedOptions'>,
): PublishJob {
  const { mediaUrl, mediaType, queuedAt } = content
  return {
    key: derivedId('publish', postId, platform, id),
    account: { id, platform, externalId, ...(baseUrl === undefined ? {} : { baseUrl }) },
    ...{ mediaUrl, mediaType, media: mediaOf(content), queuedAt },
    text: finalText(content, platform),
    options: optionsFor(connector, content.platformOptions?.[platform], content.accountOptions?.[id]),
    defaults: postDefaults,
  }
}
