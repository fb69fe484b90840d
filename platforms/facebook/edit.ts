import * as z from 'zod'
import type { Edit } from '../kit/platform.ts'
import { errorOf, graph } from './api.ts'
import { withSession } from './session.ts'

const answer = z.object({ success: z.boolean() })

/** Only posts of this app can be edited. A video's text is its description. */
export const edit: Edit = {
  options: [],
  run: ({ account, text, mediaType }, { postId }, io) =>
    withSession(account, io, async (session) => {
      const form = mediaType === 'video' ? { description: text } : { message: text }
      const path = `/${encodeURIComponent(postId)}`
      const { success } = await graph(session, { method: 'POST', path, form, effect: 'visible' }, answer, io)
      if (!success) throw errorOf('failed')
    }),
}
