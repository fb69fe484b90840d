import { chainParts } from '../../../domain/post/chain-parts.ts'
import { finalText, partText } from '../../../domain/post/caption.ts'
import type { PublishResult } from '../../../domain/post/publish-result.ts'
import { mediaOf } from '../../../domain/post/post-media.ts'
import { summaryOf } from '../../../domain/post/publish-results.ts'
import type { PostRow } from '../../../projections/models/posts.ts'
import type { Authored } from './authors.ts'

type ShownRow = PostRow & Authored

/** With what was published on each account. */
export function presentWholePost(row: ShownRow): Record<string, unknown> {
  const publishResults = Object.entries(row.results).map(([platform, items]) => [
    platform,
    items.map((item) => (item.ok ? wholeResult(row, platform, item) : item)),
  ])
  return { ...presentPost(row), publishResults: Object.fromEntries(publishResults) }
}

function wholeResult(row: PostRow, platform: string, item: Extract<PublishResult, { ok: true }>) {
  const { text = finalText(row, platform), firstComment } = row.sent[item.accountId] ?? {}
  const first = { text, media: mediaOf(row) }
  const later = (row.chain ?? []).map((part) => ({ text: partText(part, platform), media: part.media ?? [] }))
  return {
    ...item,
    ...first,
    ...(item.parts && { parts: item.parts.map((part, index) => ({ ...part, ...[first, ...later][index] })) }),
    ...(item.firstComment && {
      firstComment: { ...item.firstComment, ...(firstComment !== undefined && { text: firstComment }) },
    }),
  }
}

export function presentPost(row: ShownRow): Record<string, unknown> {
  return {
    id: row.id,
    status: row.status,
    summary: summaryOf(row.selections, row.results),
    caption: row.caption,
    publishResults: row.results,
    waiting: row.waiting,
    createdAt: row.createdAt,
    mediaUrl: row.mediaUrl,
    mediaType: row.mediaType,
    media: mediaOf(row),
    ...(row.chain && { parts: chainParts(row) }),
    captionOverrides: row.captionOverrides,
    hashtags: row.hashtags,
    selections: row.selections,
    origin: row.origin,
    ...(row.author && { author: row.author }),
  }
}
