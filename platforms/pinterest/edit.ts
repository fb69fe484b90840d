import * as z from 'zod'
import { checkedOptions } from '../kit/checked-options.ts'
import type { Edit } from '../kit/edit.ts'
import { pinterestApi } from './api.ts'
import { pinOptions } from './options.ts'
import { pinText } from './text.ts'

/** Pinterest lets only some apps edit Pins. What is absent stays as it is. */
export const edit: Edit = {
  options: ['title', 'link', 'altText'],
  run: async (job, { postId }, io) => {
    const { title: ofCaption, description = '' } = pinText(job.text)
    const { title = ofCaption, link, altText } = checkedOptions(pinOptions, job)
    const json = {
      description,
      ...(title !== undefined && { title }),
      ...(link !== undefined && { link }),
      ...(altText !== undefined && { alt_text: altText }),
    }
    const path = `/pins/${encodeURIComponent(postId)}`
    await pinterestApi(job.account.baseUrl, io)({ method: 'PATCH', path, json, effect: 'visible' }, z.unknown())
  },
}
