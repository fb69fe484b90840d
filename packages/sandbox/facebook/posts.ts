import * as z from 'zod'
import type { PostType } from '../../../domain/core/platform.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerItem, LedgerPost } from '../ledger.ts'
import { graphTime } from '../meta/fields.ts'
import type { StandInDeps } from '../stand-in.ts'
import type { Directives } from './directives.ts'
import { newId } from './ids.ts'

const detailsSchema = z.object({
  /** Milliseconds since the epoch. */
  listedFrom: z.number(),
  takesComments: z.enum(['post', 'video']),
  isReel: z.boolean().default(false),
  isStory: z.boolean().default(false),
  /** The link of a post without media. */
  link: z.string().optional(),
  /** The photos that it shows after the first. */
  others: z.array(z.string()).default([]),
  /** Listed among the reels only. */
  isUnlisted: z.boolean().default(false),
})

/** The limit that clients agree on. */
export const postText = z.string().max(63_206).optional()

export interface NewPost {
  readonly accountId: string
  /** The video, or the first photo that it shows. Absent for text alone. */
  readonly mediaId?: string
  readonly others?: readonly string[]
  readonly items?: LedgerItem[]
  readonly mediaType: PostType
  readonly mediaUrl: string
  readonly text: string
  readonly isReel?: boolean
  readonly isStory?: boolean
  readonly link?: string | undefined
}

const STORY_LIFE_MS = 86_400_000

/** Publishes a post. Publishing it again creates another, so that duplicates are visible. */
export function addPost(
  { accountId, mediaId: token, mediaType, mediaUrl, text: caption, items, others = [], ...kind }: NewPost,
  { listedAfter = 0, comments, unlisted: isUnlisted = false }: Directives,
  deps: StandInDeps,
): LedgerPost {
  const now = deps.clock.now()
  const details: z.infer<typeof detailsSchema> = {
    listedFrom: now + listedAfter * 1_000,
    takesComments: comments ?? 'post',
    isReel: kind.isReel ?? false,
    isStory: kind.isStory ?? false,
    isUnlisted,
    others: [...others],
    ...(kind.link !== undefined && { link: kind.link }),
  }
  // Meta's documentation shows the id of a story without that of the Page.
  const id = kind.isStory ? newId(deps) : `${accountId}_${newId(deps)}`
  const own = { id, platform: 'facebook', accountId, createdAt: isoTime(now), details } as const
  const more = { ...(token !== undefined && { token }), ...(items && { items }) }
  const post: LedgerPost = { ...own, caption, mediaUrl, mediaType, ...more }
  deps.ledger.addPost(post)
  return post
}

/** The post that shows a photo or a video. */
export function postOf(mediaId: string, accountId: string, { ledger }: StandInDeps): LedgerPost | undefined {
  return ledger.posts('facebook', { accountId, token: mediaId })[0]
}

/** Whether a post shows a photo, also beside others. */
export function isShown(photoId: string, accountId: string, { ledger }: StandInDeps): boolean {
  return ledger
    .posts('facebook', { accountId })
    .some(({ token, details }) => token === photoId || detailsSchema.parse(details).others.includes(photoId))
}

export function isStory({ details }: LedgerPost): boolean {
  return detailsSchema.parse(details).isStory
}

export function takesComments({ details }: LedgerPost): 'post' | 'video' {
  return detailsSchema.parse(details).takesComments
}

/** The part of a post's id after the Page's id. */
export function shortId({ id }: Pick<LedgerPost, 'id'>): string {
  return id.slice(id.indexOf('_') + 1)
}

/** All readable fields. */
export function shownPost(post: LedgerPost): Readonly<Record<string, unknown>> {
  const { id, accountId, token = '', caption, mediaType, createdAt } = post
  const isVideo = mediaType === 'video'
  const shown = (media: string) => ({ target: { id: media }, media_type: isVideo ? 'video' : 'photo' })
  const { others, link } = detailsSchema.parse(post.details)
  const album = { target: { id: shortId(post) }, media_type: 'album' }
  const several = { ...album, subattachments: { data: [token, ...others].map(shown) } }
  return {
    id,
    message: caption === '' ? undefined : caption,
    created_time: graphTime(createdAt),
    permalink_url: isVideo ? `/reel/${token}/` : `https://www.facebook.com/${accountId}/posts/${shortId(post)}`,
    attachments: mediaType === 'text' ? linkOf(link) : { data: [others.length === 0 ? shown(token) : several] },
  }
}

function linkOf(url: string | undefined): object | undefined {
  return url === undefined ? undefined : { data: [{ target: { url }, media_type: 'link' }] }
}

/** Newest first. */
export function listed(accountId: string, deps: StandInDeps): readonly LedgerPost[] {
  return listedBy(accountId, deps, ({ isUnlisted, isStory }) => !isUnlisted && !isStory)
}

/** Newest first. */
export function listedReels(accountId: string, deps: StandInDeps): readonly LedgerPost[] {
  return listedBy(accountId, deps, ({ isReel }) => isReel)
}

/** Newest first. */
export function listedStories(accountId: string, deps: StandInDeps): readonly LedgerPost[] {
  const from = deps.clock.now() - STORY_LIFE_MS
  return listedBy(accountId, deps, ({ isStory }) => isStory).filter(({ createdAt }) => Date.parse(createdAt) > from)
}

function listedBy(
  accountId: string,
  { ledger, clock }: StandInDeps,
  isWanted: (details: z.infer<typeof detailsSchema>) => boolean,
): readonly LedgerPost[] {
  const isListed = ({ details }: LedgerPost): boolean => {
    const parsed = detailsSchema.parse(details)
    return parsed.listedFrom <= clock.now() && isWanted(parsed)
  }
  return ledger.posts('facebook', { accountId }).filter(isListed).toReversed()
}
