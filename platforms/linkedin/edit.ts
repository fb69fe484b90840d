import type { Edit } from '../kit/edit.ts'
import { callAs } from './api.ts'
import { toLittle } from './little.ts'
import { encodedUrn } from './urn.ts'

/** Of a published post, LinkedIn lets apps change the text alone. */
export const edit: Edit = {
  options: [],
  run: async ({ account: { baseUrl }, text }, { postId }, io) => {
    const path = `/rest/posts/${encodedUrn(postId)}` as const
    const headers = { 'x-restli-method': 'PARTIAL_UPDATE' }
    const json = { patch: { $set: { commentary: toLittle(text) } } }
    await callAs(baseUrl, { method: 'POST', path, headers, json, effect: 'visible' }, io)
  },
}
