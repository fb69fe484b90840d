import type { Edit } from '../kit/edit.ts'
import { PlatformError } from '../kit/platform.ts'
import { googleApi } from './api.ts'
import { localPostSchema, REJECTED } from './local-post.ts'

/** The id of a post is its whole name. */
export const edit: Edit = {
  options: [],
  run: async ({ account: { baseUrl }, text }, { postId }, io) => {
    const api = googleApi(baseUrl, io)
    const url = `${api.hosts.posts}/${postId}?updateMask=summary`
    const call = { method: 'PATCH', url, json: { summary: text }, effect: 'visible' } as const
    const post = await api.call(call, localPostSchema)
    if (post.state === 'REJECTED') throw new PlatformError('permanent', REJECTED)
  },
}
