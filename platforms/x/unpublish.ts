import * as z from 'zod'
import type { Platform } from '../kit/platform.ts'
import { unlessGone } from '../kit/unless-gone.ts'
import { callAs } from './call.ts'

const answer = z.object({ data: z.object({ deleted: z.literal(true) }) })

export const unpublish: NonNullable<Platform['unpublish']> = async (account, { postId }, io) => {
  const path = `/2/tweets/${encodeURIComponent(postId)}`
  await unlessGone(() => callAs(account, { method: 'DELETE', path, effect: 'visible' }, answer, io))
}
