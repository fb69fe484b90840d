import * as z from 'zod'
import type { Platform } from '../kit/platform.ts'
import { callAs } from './call.ts'

const answer = z.object({ data: z.object({ deleted: z.boolean() }) })

export const unpublish: NonNullable<Platform['unpublish']> = async (account, postId, io) => {
  const path = `/2/tweets/${encodeURIComponent(postId)}`
  await callAs(account, { method: 'DELETE', path, effect: 'visible' }, answer, io)
}
