import type { Platform } from '../kit/platform.ts'
import { unlessGone } from '../kit/unless-gone.ts'
import { callAs } from './api.ts'
import { encodedUrn } from './urn.ts'

/** Deleting a post that is gone is documented as a success, too. */
export const unpublish: NonNullable<Platform['unpublish']> = async ({ baseUrl }, { postId }, io) => {
  const path = `/rest/posts/${encodedUrn(postId)}` as const
  const headers = { 'x-restli-method': 'DELETE' }
  await unlessGone(() => callAs(baseUrl, { method: 'DELETE', path, headers, effect: 'visible' }, io))
}
