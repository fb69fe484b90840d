import * as z from 'zod'
import { checkedOptions } from '../kit/checked-options.ts'
import type { Edit } from '../kit/edit.ts'
import { callAs } from './api.ts'
import { mastodonOptions } from './options.ts'

const current = z.object({
  spoiler_text: z.string().catch(''),
  sensitive: z.boolean().catch(false),
  language: z.string().nullish().catch(undefined),
  media_attachments: z.array(z.object({ id: z.string() })).catch([]),
})

/** What an edit does not name is removed from the post, so all that stays is repeated. */
export const edit: Edit = {
  options: ['contentWarning', 'sensitive', 'language'],
  run: async (job, { postId }, io) => {
    const path = `/api/v1/statuses/${encodeURIComponent(postId)}`
    const status = await callAs(job.account, { method: 'GET', path }, current, io)
    const options = checkedOptions(mastodonOptions, job)
    const language = options.language ?? status.language
    const json = {
      status: job.text,
      spoiler_text: options.contentWarning ?? status.spoiler_text,
      sensitive: options.sensitive ?? status.sensitive,
      ...(language && { language }),
      ...(status.media_attachments.length > 0 && { media_ids: status.media_attachments.map(({ id }) => id) }),
    }
    await callAs(job.account, { method: 'PUT', path, json, effect: 'visible' }, z.unknown(), io)
  },
}
