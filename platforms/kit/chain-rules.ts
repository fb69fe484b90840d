import { PLATFORM_NAMES } from '../../domain/core/platform.ts'
import type { MediaFacts } from '../../infra/media/media.ts'
import { brokenRules, type Content, type Rules } from './checked-media.ts'
import { NO_CHAIN, optionIn } from './first-comment.ts'
import type { PublishJob } from './platform.ts'

/**
 * The rules that the later parts of a chain break.
 *
 * @param parts from the second on
 * @param options of the post as a whole
 * @param media of each part: facts as for `brokenRules`, and what else is wrong with it. Absent until it is fetched
 */
export function brokenChainRules(
  platform: Rules,
  parts: readonly Content[],
  options: PublishJob['options'],
  media: readonly { readonly facts: readonly (MediaFacts | undefined)[]; readonly problems: readonly string[] }[] = [],
): readonly string[] {
  if (parts.length > 0 && !platform.takes.text?.chain) {
    return [`${PLATFORM_NAMES[platform.key]} has no chains: a post cannot be continued by replies there.`]
  }
  const hasComment = parts.length > 0 && platform.firstComment?.of === 'option' && optionIn(options) !== undefined
  const ofParts = parts.flatMap((part, index) => {
    const { facts = [], problems = [] } = media[index] ?? {}
    return [...problems, ...brokenRules(platform, part, facts)].map((sentence) => aboutPart(index, sentence))
  })
  return [...ofParts, ...(hasComment ? [NO_CHAIN] : [])]
}

/** Names the part that a sentence is about. @param index 0 for the second */
export function aboutPart(index: number, sentence: string): string {
  return `Part ${index + 2}: ${sentence}`
}
