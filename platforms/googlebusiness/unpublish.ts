import * as z from 'zod'
import type { Platform } from '../kit/platform.ts'
import { unlessGone } from '../kit/unless-gone.ts'
import { googleApi } from './api.ts'

/** The id of a post is its whole name. */
export const unpublish: NonNullable<Platform['unpublish']> = async ({ baseUrl }, { postId }, io) => {
  const api = googleApi(baseUrl, io)
  const call = { method: 'DELETE', url: `${api.hosts.posts}/${postId}`, effect: 'visible' } as const
  await unlessGone(() => api.call(call, z.unknown()))
}
