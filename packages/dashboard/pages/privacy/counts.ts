import type { ErasurePreview } from '../../client/types.ts'

const LIST = new Intl.ListFormat('en')

/** `3 comments, 1 reply, and 8 webhook deliveries`; undefined when there is nothing. */
export function counts({ comments, replies, deliveries }: ErasurePreview): string | undefined {
  const counted = (count: number, one: string, many: string) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]
  const parts = [
    ...counted(comments, 'comment', 'comments'),
    ...counted(replies, 'reply', 'replies'),
    ...counted(deliveries, 'webhook delivery', 'webhook deliveries'),
  ]
  return parts.length === 0 ? undefined : LIST.format(parts)
}
