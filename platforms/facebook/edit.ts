import * as z from 'zod'
import { checkedOptions } from '../kit/checked-options.ts'
import type { Edit } from '../kit/edit.ts'
import { Unsupported } from '../kit/unsupported.ts'
import { errorOf, graph } from './api.ts'
import { facebookOptions } from './options.ts'
import { withSession } from './session.ts'

const answer = z.object({ success: z.boolean() })

/** Only posts of this app can be edited. A video's text is its description. */
export const edit: Edit = {
  options: [],
  run: (job, { postId }, io) =>
    withSession(job.account, io, async (session) => {
      const { text, mediaType } = job
      if (checkedOptions(facebookOptions, job).placement === 'story') {
        throw new Unsupported('Facebook does not let apps edit stories.')
      }
      const form = mediaType === 'video' ? { description: text } : { message: text }
      const path = `/${encodeURIComponent(postId)}`
      const { success } = await graph(session, { method: 'POST', path, form, effect: 'visible' }, answer, io)
      if (!success) throw errorOf('failed')
    }),
}
