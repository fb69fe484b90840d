import * as z from 'zod'
import { text } from '../../domain/core/text.ts'
import { firstComment } from '../kit/first-comment.ts'
import { namedOptions } from '../kit/named-options.ts'

const language = text(100).refine(isLanguage, { error: 'must be a BCP 47 language tag such as en or pt-BR' })
const label = z.enum(['sexual', 'nudity', 'porn', 'graphic-media'], {
  error: 'must be sexual, nudity, porn or graphic-media',
})

/** What one post on Bluesky has of its own. */
export const blueskyOptions = namedOptions({
  languages: z
    .array(language)
    .min(1)
    .max(3, 'must name at most 3 languages')
    .optional()
    .describe('Languages of the text as BCP 47 tags. Feeds use them to select posts.'),
  labels: z
    .array(label)
    .min(1)
    .max(4)
    .optional()
    .describe('Content warnings: Bluesky hides the post, or its media, from people who do not want to see this.'),
  firstComment,
})

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
