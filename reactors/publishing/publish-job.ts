import type { KnownAccount } from '../../domain/account/account.ts'
import { finalText, partText } from '../../domain/post/caption.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { mediaOf, shown, type Shown } from '../../domain/post/post-media.ts'
import type { QueuedPost, TargetKey } from '../../domain/post/post.ts'
import type { PublishedPart } from '../../domain/post/publish-result.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { firstCommentOf } from '../../platforms/kit/first-comment.ts'
import { optionsFor, withCover } from '../../platforms/kit/options-for.ts'
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
  | 'firstComment'
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
  connector: Connector,
  published: readonly PublishedPart[] = [],
): PublishJob {
  const before = content.chain ? published : []
  const [first, previous = first] = [before[0], before.at(-1)]
  const part = partOf(content, platform, before.length)
  const options = optionsOf(content, connector, { platform, accountId: id })
  return {
    key: derivedId('publish', postId, platform, id, ...(first ? [`${before.length + 1}`] : [])),
    account: { id, platform, externalId, ...(baseUrl === undefined ? {} : { baseUrl }) },
    ...part,
    media: withCover(mediaOf(part), connector, options),
    // A platform that takes it as the time of the post lists the parts in order.
    queuedAt: isoTime(Date.parse(content.queuedAt) + before.length),
    ...(first && previous && { inReplyTo: { first, previous } }),
    options,
    firstComment: commentOf(content, connector, { platform, accountId: id }),
    defaults: postDefaults,
  }
}

type Connector = Pick<Platform, 'joinedOptions' | 'firstComment' | 'coverOption'>
type OfAccount = Pick<JobContent, 'platformOptions' | 'accountOptions'>

/** What a post sets on one account. */
export function optionsOf(
  { platformOptions, accountOptions }: OfAccount,
  connector: Connector,
  { platform, accountId }: TargetKey,
): PublishJob['options'] {
  return optionsFor(connector, platformOptions?.[platform], accountOptions?.[accountId])
}

/** The text of the first comment of a post on one account, if it has one. */
export function commentOf(
  content: OfAccount & Pick<JobContent, 'firstComment' | 'chain'>,
  connector: Connector,
  key: TargetKey,
): string | undefined {
  return firstCommentOf(connector, content, optionsOf(content, connector, key))
}

type Part = Shown & { readonly text: string }

/** @param index of a part of a chain, from 0, which is also any other post */
export function partOf(content: JobContent, platform: string, index: number): Part {
  const { mediaUrl, mediaType, media } = content
  const later = index === 0 ? undefined : laterParts(content, platform)[index - 1]
  return later ?? { mediaUrl, mediaType, media, text: finalText(content, platform) }
}

/** The parts of a chain from the second on. */
export function laterParts({ chain = [] }: Pick<JobContent, 'chain'>, platform: string): readonly Part[] {
  return chain.map((part) => ({ ...shown(part.media ?? []), text: partText(part, platform) }))
}
