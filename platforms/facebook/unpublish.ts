import * as z from 'zod'
import type { Platform } from '../kit/platform.ts'
import { graph } from './api.ts'
import { withSession } from './session.ts'

const answer = z.object({ success: z.boolean() })

export const unpublish: NonNullable<Platform['unpublish']> = async (account, postId, io) => {
  const call = { method: 'DELETE', path: `/${encodeURIComponent(postId)}`, effect: 'visible' } as const
  await withSession(account, io, (session) => graph(session, call, answer, io))
}
