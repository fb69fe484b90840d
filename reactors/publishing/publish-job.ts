import type { KnownAccount } from '../../domain/account/account.ts'
import { finalText } from '../../domain/post/caption.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { mediaOf, shown, type Shown } from '../../domain/post/post-media.ts'
import type { QueuedPost } from '../../domain/post/post.ts'
import type { PublishedPart } from '../../domain/post/publish-result.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { optionsFor } from '../../platforms/kit/options-for.ts'
import type { Platform, PublishJob } from '../../platforms/kit/platform.ts'

export type JobContent = Pick<
  QueuedPost,
  | 'mediaUrl'
  | 'mediaType'
  | 'media'
  | 'chain'
  | 'caption'
  | 'captionOverrides'
  | 'hashtags'
  | 'platformOptions'
  | 'accountOptions'
  | 'queuedAt'
>

/**
 * The job that publishes a post on one of its accounts.
 *
 * @param published what the account has of it: of a chain, the job is for the next part
 */
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
  published: readonly PublishedPart[] = [],
): PublishJob {
  const before = content.chain ? published : []
  const [first, previous = first] = [before[0], before.at(-1)]
  const part = partOf(content, platform, before.length)
  return {
    key: derivedId('publish', postId, platform, id, ...(first ? [`${before.length + 1}`] : [])),
    account: { id, platform, externalId, ...(baseUrl === undefined ? {} : { baseUrl }) },
    ...part,
    media: mediaOf(part),
    // A platform that takes it as the time of the post lists the parts in order.
    queuedAt: isoTime(Date.parse(content.queuedAt) + before.length),
    ...(first && previous && { inReplyTo: { first, previous } }),
    options: optionsFor(connector, content.platformOptions?.[platform], content.accountOptions?.[id]),
    defaults: postDefaults,
  }
}

type Part = Shown & { readonly text: string }

/** @param index of a part of a chain, from 0, which is also any other post */
export function partOf(content: JobContent, platform: string, index: number): Part {
  const { mediaUrl, mediaType, media } = content
  const later = index === 0 ? undefined : laterParts(content)[index - 1]
  return later ?? { mediaUrl, mediaType, media, text: finalText(content, platform) }
}

/** The parts of a chain from the second on. */
export function laterParts({ chain = [] }: Pick<JobContent, 'chain'>): readonly Part[] {
  return chain.map(({ text, media = [] }) => ({ ...shown(media), text }))
}
