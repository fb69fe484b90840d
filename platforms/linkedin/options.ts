import * as z from 'zod'
import { text } from '../../domain/core/text.ts'
import { mediaOf } from '../../domain/post/post-media.ts'
import { checkedOptions } from '../kit/checked-options.ts'
import { firstComment } from '../kit/first-comment.ts'
import { namedOptions } from '../kit/named-options.ts'
import { PlatformError, type PublishJob } from '../kit/platform.ts'
import { isOrganization } from './author.ts'

/** UTF-16 units. LinkedIn documents it for articles only. */
const TITLE_LIMIT = 400

/** What one post on LinkedIn has of its own. */
export const linkedinOptions = namedOptions({
  visibility: z
    .enum(['PUBLIC', 'CONNECTIONS'], { error: 'must be PUBLIC or CONNECTIONS' })
    .optional()
    .describe('Who can see it: everyone, or the connections of a member. Posts of pages are PUBLIC. Default: PUBLIC.'),
  title: text(TITLE_LIMIT).min(1).optional().describe('Title of the video, or of the one image.'),
  documentTitle: text(TITLE_LIMIT)
    .min(1)
    .optional()
    .describe('Title of the document. Default: the first line of the text, or else the name of the file.'),
  firstComment,
})

/** @throws PlatformError `permanent`, naming each wrong field */
export function optionsOf(job: PublishJob): z.infer<typeof linkedinOptions> {
  const options = checkedOptions(linkedinOptions, job)
  if (options.visibility === 'CONNECTIONS' && isOrganization(job.account.externalId)) {
    throw new PlatformError('permanent', 'Posts of a LinkedIn page are PUBLIC: only a member has CONNECTIONS.')
  }
  if (options.title !== undefined && mediaOf(job).length !== 1) {
    throw new PlatformError('permanent', 'LinkedIn accepts a title only with a video or one image.')
  }
  return options
}
