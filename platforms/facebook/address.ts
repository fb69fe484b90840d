import * as z from 'zod'
import type { Session } from '../meta/graph.ts'
import type { RestIo } from '../kit/rest.ts'
import { graph } from './api.ts'
import { ownAddress } from '../kit/own-address.ts'

const SITE = 'https://www.facebook.com'
const HOSTS = ['facebook.com', 'fb.watch']
const TIMEOUT_MS = 4_000

const shown = z.object({ permalink_url: z.string().optional() })

/** A post's permalink, or a URL made from its id if that cannot be read: the post is published either way. */
export async function addressOf(postId: string, session: Session, io: RestIo): Promise<string> {
  const call = { method: 'GET', path: `/${postId}`, query: { fields: 'permalink_url' }, timeoutMs: TIMEOUT_MS } as const
  const { permalink_url: given } = await graph(session, call, shown, io).catch(() => ({ permalink_url: undefined }))
  return postAddress(postId, given)
}

export function postAddress(postId: string, permalink: string | undefined): string {
  return whole(permalink) ?? `${SITE}/${postId}`
}

/** Completes a permalink: Facebook omits the host of reels. */
export function whole(permalink: string | undefined): string | undefined {
  return ownAddress(permalink?.startsWith('/') ? `${SITE}${permalink}` : permalink, HOSTS)
}

/** URL of a video without a permalink. */
export function videoAddress(videoId: string, pageId: string): string {
  return `${SITE}/${pageId}/videos/${videoId}/`
}

/** URL of a story that is not listed yet. */
export function storyAddress(postId: string): string {
  return `${SITE}/stories/${postId}`
}

export function isStoryAddress(url: string | undefined): boolean {
  return /^https:\/\/[^/]+\/stories\//.test(url ?? '')
}

/** Id of the video that a URL points to, if any. */
export function videoIn(url: string | undefined): string | undefined {
  return /\/(?:reel|videos)\/(?:[^/]+\/)?(\d+)/.exec(url ?? '')?.[1]
}
