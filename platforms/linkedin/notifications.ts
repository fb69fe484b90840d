import * as z from 'zod'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { FetchedComment } from '../kit/conversation.ts'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { shownAuthor } from './author.ts'
import { time } from './comment.ts'
import type { CommentedPost } from './commented-posts.ts'
import { pagesOf } from './listing.ts'
import { commentName, isPostUrn } from './urn.ts'

export interface News {
  readonly commented: readonly CommentedPost[]
  readonly mentions: readonly FetchedComment[]
}

const decorated = z
  .object({
    entity: z.string().optional().catch(undefined),
    owner: z.string().optional().catch(undefined),
    text: z.string().catch(''),
  })
  .optional()
  .catch(undefined)
const notification = z.object({
  action: z.string(),
  sourcePost: z.string().optional().catch(undefined),
  decoratedSourcePost: decorated,
  generatedActivity: z.string().optional().catch(undefined),
  decoratedGeneratedActivity: z.object({ comment: decorated, share: decorated }).catch({}),
  lastModifiedAt: time,
})
type Notification = z.infer<typeof notification>

/**
 * The activity on a page since a time (ms since the epoch), from one list for all of its posts, old ones included. It names
 * new comments, but gives neither their threads nor whether they were answered.
 *
 * @throws PlatformError, a `PlatformRefusal` with status 403 if the token lacks the scope `rw_organization_admin`
 */
export async function newsOf({ externalId, baseUrl }: PlatformAccount, since: number, io: PlatformIo): Promise<News> {
  const query = [
    'q=criteria',
    `organizationalEntity=${encodeURIComponent(externalId)}`,
    'actions=List(COMMENT,ADMIN_COMMENT,SHARE_MENTION)',
    `timeRange=(start:${since},end:${io.clock.now()})`,
  ]
  const commented = new Map<string, NewsOfPost>()
  const mentions: FetchedComment[] = []
  for await (const { elements } of pagesOf(`/rest/organizationalEntityNotifications?${query.join('&')}`, baseUrl, io)) {
    for (const value of elements) {
      const { data } = notification.safeParse(value)
      if (data?.action === 'SHARE_MENTION') mentions.push(...mentionOf(data, externalId))
      else if (data) note(data, externalId, commented)
    }
  }
  return { commented: [...commented.values()], mentions }
}

interface NewsOfPost extends CommentedPost {
  readonly news: Set<string>
}

/** Groups new comments by post. Skips the page's own. */
function note(
  { sourcePost, decoratedSourcePost, generatedActivity, decoratedGeneratedActivity: { comment } }: Notification,
  page: string,
  commented: Map<string, NewsOfPost>,
): void {
  const key = sourcePost ?? decoratedSourcePost?.entity
  const urn = comment?.entity ?? generatedActivity
  if (comment?.owner === page || key === undefined || urn === undefined) return
  const known = commented.get(key)
  const postId = decoratedSourcePost?.entity ?? known?.postId
  // A URN without a readable id is never found, so every thread will be searched for it.
  const news = (known?.news ?? new Set()).add(commentName(urn)?.id ?? urn)
  commented.set(key, { target: postId ?? key, ...(postId !== undefined && { postId }), news })
}

/** A reply is a comment on the post. Whether the page already replied is unknown: it cannot read comments on others' posts. */
function mentionOf(
  { sourcePost, generatedActivity, decoratedGeneratedActivity: { share }, lastModifiedAt }: Notification,
  page: string,
): readonly FetchedComment[] {
  const id = [share?.entity, generatedActivity, sourcePost].find((urn) => urn !== undefined && isPostUrn(urn))
  if (id === undefined || share?.owner === page) return []
  const mention: FetchedComment = {
    id,
    kind: 'mention',
    author: shownAuthor(share?.owner),
    ...(share?.owner !== undefined && { authorId: share.owner }),
    text: share?.text ?? '',
    createdAt: isoTime(lastModifiedAt),
    references: { postUrn: id },
  }
  return [mention]
}
