import { plural } from '@lingui/core/macro'
import type { ErasurePreview } from '../../../client/types.ts'
import { locale } from '../../../parts/words.ts'

const LIST = new Intl.ListFormat(locale())

/** `3 comments, 1 reply, and 8 webhook deliveries`; undefined when there is nothing. */
export function counts({ comments, replies, deliveries }: ErasurePreview): string | undefined {
  const parts = [
    comments > 0 && plural(comments, { one: '# comment', other: '# comments' }),
    replies > 0 && plural(replies, { one: '# reply', other: '# replies' }),
    deliveries > 0 && plural(deliveries, { one: '# webhook delivery', other: '# webhook deliveries' }),
  ].filter((part) => part !== false)
  return parts.length === 0 ? undefined : LIST.format(parts)
}
