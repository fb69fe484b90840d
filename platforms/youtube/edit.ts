import * as z from 'zod'
import { checkedOptions } from '../kit/checked-options.ts'
import { withToken } from '../kit/oauth-token.ts'
import type { Edit } from '../kit/edit.ts'
import { PlatformError } from '../kit/platform.ts'
import { send, type RestCall } from '../kit/rest.ts'
import { listAs } from './call.ts'
import { refused } from './errors.ts'
import { hostsOf } from './hosts.ts'
import { renewalAt } from './oauth.ts'
import { videoOptions, videoText } from './options.ts'

/** What can be set, and is lost unless it is sent again (videos.update). */
const snippet = z.object({
  categoryId: z.string(),
  tags: z.array(z.string()).optional(),
  defaultLanguage: z.string().optional(),
  defaultAudioLanguage: z.string().optional(),
})
const videos = z.object({ items: z.array(z.object({ snippet })).default([]) })

export const edit: Edit = {
  options: ['title', 'description', 'tags'],
  run: async (job, { postId: id }, io) => {
    const { baseUrl } = job.account
    const options = checkedOptions(videoOptions, job)
    const { items } = await listAs(job.account, 'videos', { part: 'snippet', id }, videos, io)
    const [video] = items
    if (!video) throw new PlatformError('permanent', 'YouTube no longer has the video.')
    const { tags = video.snippet.tags } = options
    const json = { id, snippet: { ...video.snippet, ...videoText(job.text, options), ...(tags && { tags }) } }
    const url = `${hostsOf(baseUrl).api}/videos?part=snippet`
    const call: RestCall = { method: 'PUT', url, json, effect: 'visible' }
    await withToken(io, renewalAt(baseUrl), async (token) => {
      const response = await send('youtube', { ...call, token }, io)
      if (response.status !== 200) throw refused(response, call.effect, io.clock)
    })
  },
}
