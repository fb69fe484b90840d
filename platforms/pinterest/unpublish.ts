import * as z from 'zod'
import type { Platform } from '../kit/platform.ts'
import { unlessGone } from '../kit/unless-gone.ts'
import { pinterestApi } from './api.ts'

export const unpublish: NonNullable<Platform['unpublish']> = async ({ baseUrl }, { postId }, io) => {
  const path = `/pins/${encodeURIComponent(postId)}`
  await unlessGone(() => pinterestApi(baseUrl, io)({ method: 'DELETE', path, effect: 'visible' }, z.unknown()))
}
