import type { Platform } from '../kit/platform.ts'
import { callAs } from './api.ts'
import { encodedUrn } from './urn.ts'

export const unpublish: NonNullable<Platform['unpublish']> = async ({ baseUrl }, postId, io) => {
  const path = `/rest/posts/${encodedUrn(postId)}` as const
  const headers = { 'x-restli-method': 'DELETE' }
  await callAs(baseUrl, { method: 'DELETE', path, headers, effect: 'visible' }, io)
}
