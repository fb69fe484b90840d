import { z } from 'zod'
import type { MediaType } from '../../domain/platform.ts'
import { isoTime } from '../../system/clock.ts'
import type { LedgerPost } from '../ledger.ts'
import { graphTime } from '../meta/fields.ts'
import type { StandInDeps } from '../stand-in.ts'
import type { Directives } from './directives.ts'
import { newId } from './ids.ts'

const detailsSchema = z.object({
  /** Milliseconds since the epoch. */
  listedFrom: z.number(),
  takesComments: z.enum(['post', 'video']),
})

/** Clients agree on the number. */
export const postText = z.string().max(63_206).optional()

export interface NewPost {
  readonly accountId: string
  /** The photo or the video that it shows. */
  readonly mediaId: string
  readonly mediaType: MediaType
  readonly mediaUrl: string
  readonly text: string
}

/** Puts a post live. The same again is another one, so that it shows. */
export function addPost(
  { accountId, mediaId: token, mediaType, mediaUrl, text: caption }: NewPost,
  { listedAfter = 0, comments }: Directives,
  deps: StandInDeps,
): LedgerPost {
  const now = deps.clock.now()
  const details: z.infer<typeof detailsSchema> = {
    listedFrom: now + listedAfter * 1_000,
    takesComments: comments ?? 'post',
  }
  const id = `${accountId}_${newId(deps)}`
  const own = { id, platform: 'facebook', accountId, token, createdAt: isoTime(now), details } as const
  const post: LedgerPost = { ...own, caption, mediaUrl, mediaType }
  deps.ledger.addPost(post)
  return post
}

/** The post that shows a photo or a video. */
export function postOf(mediaId: string, accountId: string, { ledger }: StandInDeps): LedgerPost | undefined {
  return ledger.posts('facebook', { accountId, token: mediaId })[0]
}

export function takesComments({ details }: LedgerPost): 'post' | 'video' {
  return detailsSchema.parse(details).takesComments
}

/** The part of a post's id that is not the Page's. */
export function shortId({ id }: LedgerPost): string {
  return id.slice(id.indexOf('_') + 1)
}

/** All fields that are had of one. */
export function shownPost(post: LedgerPost): Readonly<Record<string, unknown>> {
  const { id, accountId, token = '', caption, mediaType, createdAt } = post
  const isImage = mediaType === 'image'
  return {
    id,
    message: caption === '' ? undefined : caption,
    created_time: graphTime(createdAt),
    permalink_url: isImage ? `https://www.facebook.com/${accountId}/posts/${shortId(post)}` : `/reel/${token}/`,
    attachments: { data: [{ target: { id: token }, media_type: isImage ? 'photo' : 'video' }] },
  }
}

/** Newest first. */
export function listed(accountId: string, { ledger, clock }: StandInDeps): readonly LedgerPost[] {
  return ledger
    .posts('facebook', { accountId })
    .filter(({ details }) => detailsSchema.parse(details).listedFrom <= clock.now())
    .toReversed()
}
