import * as z from 'zod'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { callAs, idSchema } from './call.ts'

const created = z.object({ data: z.object({ id: idSchema }) })

/** The one visible call, for posts and replies. */
export async function createPost(
  account: PlatformAccount,
  json: object,
  io: PlatformIo,
): Promise<{ readonly id: string; readonly url: string }> {
  const call = { method: 'POST', path: '/2/tweets', json, effect: 'visible' } as const
  const { id } = (await callAs(account, call, created, io)).data
  return { id, url: await permalink(id, io) }
}

/** X redirects from any username to the post, so an outdated or missing one is harmless. */
export async function permalink(postId: string, { credentials }: PlatformIo): Promise<string> {
  const { username = 'i' } = await credentials.read()
  return `https://x.com/${encodeURIComponent(username)}/status/${postId}`
}
