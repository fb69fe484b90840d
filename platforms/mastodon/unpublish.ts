import * as z from 'zod'
import { hasStatus } from '../kit/errors.ts'
import type { Platform } from '../kit/platform.ts'
import { unlessGone } from '../kit/unless-gone.ts'
import { Unsupported } from '../kit/unsupported.ts'
import { callAs } from './api.ts'

/** A server that does not let apps delete posts also answers that it found none: the post itself tells which. */
export const unpublish: NonNullable<Platform['unpublish']> = async (account, { postId }, io) => {
  const path = `/api/v1/statuses/${encodeURIComponent(postId)}`
  try {
    await callAs(account, { method: 'DELETE', path, effect: 'visible' }, z.unknown(), io)
  } catch (error) {
    if (!hasStatus(error, 404)) throw error
    await unlessGone(async () => {
      await callAs(account, { method: 'GET', path }, z.unknown(), io)
      throw new Unsupported('This Mastodon server does not let apps delete posts.')
    })
  }
}
