import { chainParts } from '../../../domain/post/chain-parts.ts'
import { mediaOf } from '../../../domain/post/post-media.ts'
import { summaryOf } from '../../../domain/post/publish-results.ts'
import type { PostRow } from '../../../projections/models/posts.ts'

export function presentPost(row: PostRow): Record<string, unknown> {
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
  }
}
