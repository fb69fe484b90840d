import * as z from 'zod'
import type { Platform } from '../kit/platform.ts'
import { googleApi } from './api.ts'

/** @param postId the whole name of the post */
export const unpublish: NonNullable<Platform['unpublish']> = async ({ baseUrl }, postId, io) => {
  const api = googleApi(baseUrl, io)
  await api.call({ method: 'DELETE', url: `${api.hosts.posts}/${postId}`, effect: 'visible' }, z.unknown())
}
