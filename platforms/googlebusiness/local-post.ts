import * as z from 'zod'
import type { Published } from '../kit/platform.ts'
import type { Place } from './credentials.ts'
import { ownAddress } from '../kit/own-address.ts'

/** The fields of Google's LocalPost that are used here. */
export const localPostSchema = z.object({
  /** `accounts/../locations/../localPosts/{id}`: the id of the post. */
  name: z.string().regex(/^(?:accounts\/[\w-]{1,64}\/)?locations\/[\w-]{1,64}\/localPosts\/[\w-]{1,128}$/),
  /** `LIVE`, `PROCESSING` (not visible yet), `REJECTED`, or a state that posts of this connector never have. */
  state: z.string().optional(),
  createTime: z.string().optional(),
  summary: z.string().optional(),
  topicType: z.string().optional(),
  searchUrl: z.string().min(1).optional().catch(undefined),
})
export type LocalPost = z.infer<typeof localPostSchema>

const HOSTS = ['google.com', 'goo.gl']

export const REJECTED = 'Google accepted the post and then rejected it: its content violates the policy for posts.'

/** How often to check on a post that Google is processing. */
export const LOOK_AGAIN_MS = 12_000

export function publishedPost({ name, searchUrl }: LocalPost, { mapsUri }: Place): Published {
  const url = ownAddress(searchUrl ?? mapsUri, HOSTS)
  return { postId: name, ...(url !== undefined && { url }) }
}
